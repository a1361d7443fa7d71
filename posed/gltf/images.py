"""The images of one file: where each one's bytes are, taken when a material first shows it (glTF 2.0, 3.8.3)."""

from __future__ import annotations

from posed.gltf.accessor import Accessors
from posed.gltf.buffer import Buffers
from posed.gltf.document import Record
from posed.gltf.image import Image


class Images:
    """The images of one file, by index."""

    def __init__(self, document: Record, buffers: Buffers, accessors: Accessors) -> None:
        self._records = document.records("images")
        self._buffers, self._accessors = buffers, accessors
        self._read: dict[int, Image] = {}

    def __len__(self) -> int:
        return len(self._records)

    def image(self, index: int) -> Image:
        """Return image `index`, not yet decoded; an `AssetError` says why its bytes are out of reach."""
        if index not in self._read:
            record = self._records[index]
            view = self._accessors.view_index(record)
            if view is None and "uri" not in record:
                record.refuse("a bufferView or a uri", "uri")
            data = self._buffers.uri(record) if view is None else self._accessors.view(view).data
            name = record.text("name", "")
            self._read[index] = Image(name, bytes(data), str(record.path), record.pointer)
        return self._read[index]

    def used(self) -> tuple[Image, ...]:
        """Return the images that were asked for, in the file's order."""
        return tuple(self._read[index] for index in sorted(self._read))
