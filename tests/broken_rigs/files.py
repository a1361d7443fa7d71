"""Broken accessors, views and files."""

import functools

from tests.broken_rigs.spoiling import Broken, both, set_, without

FILES = (
    Broken(
        "an accessor of 2^31 elements",
        set_("accessors", 0, "count", to=2**31),
        "P001",
        refused="/accessors/0/count: expected at most 268435456 numbers in all accessors, found 6442450944 in this one: export the file again",
    ),
    Broken(
        "an accessor of -1 elements",
        set_("accessors", 0, "count", to=-1),
        "P001",
        refused="/accessors/0/count: expected an integer of 0 or more, found -1: correct it or export the file again",
    ),
    Broken(
        "an accessor past its view",
        set_("accessors", 0, "byteOffset", to=16),
        "P001",
        refused="/accessors/0: 4 elements of 12 bytes, 12 apart, from byte 16: expected 64 bytes in the buffer view, found 48; export the file again",
    ),
    Broken(
        "a view past its buffer",
        set_("bufferViews", 0, "byteLength", to=1 << 20),
        "P001",
        refused="/bufferViews/0: expected bytes 0 to 1048576 within the buffer, found 356 bytes in it: export the file again",
    ),
    Broken(
        "a view that is not there",
        set_("accessors", 0, "bufferView", to=99),
        "P001 P803",
        refused="/accessors/0/bufferView: expected an index of bufferViews below 8, found 99: correct it or export the file again",
    ),
    Broken(
        "a component type that is none",
        set_("accessors", 0, "componentType", to=5124),
        "P001",
        refused="/accessors/0/componentType: expected a component type of 5120, 5121, 5122, 5123, 5125, 5126, found 5124: correct it or export the file again",
    ),
    Broken(
        "an element type that is none",
        set_("accessors", 0, "type", to="VEC5"),
        "P001",
        refused='/accessors/0/type: expected one of SCALAR, VEC2, VEC3, VEC4, MAT2, MAT3, MAT4, found "VEC5": correct it or export the file again',
    ),
    Broken("bounds that lie", set_("accessors", 0, "max", to=[1, 1, 1]), "P101"),
    Broken("no bounds", both(without("accessors", 0, "min"), without("accessors", 0, "max")), "P102"),
    Broken(
        "positions of zeros, without a view",
        without("accessors", 0, "bufferView"),
        "P501 P803",
        rest=((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)),
        moved=((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (1.0, 1.0, 0.0), (1.0, 1.0, 0.0)),
        seen=False,
    ),
    Broken(
        "a sparse override past the end",
        set_(
            "accessors",
            0,
            "sparse",
            to={
                "count": 1,
                "indices": {"bufferView": 0, "byteOffset": 2, "componentType": 5123},
                "values": {"bufferView": 1},
            },
        ),
        "P001",
        refused="/accessors/0/sparse/indices: expected indices below 4, found 48768: export the file again",
    ),
    Broken(
        "more sparse overrides than elements",
        set_(
            "accessors",
            0,
            "sparse",
            to={"count": 5, "indices": {"bufferView": 4, "componentType": 5123}, "values": {"bufferView": 1}},
        ),
        "P001",
        refused="/accessors/0/sparse/count: expected an integer of 0 to 4, found 5: correct it or export the file again",
    ),
    Broken(
        "a required extension that is not known",
        set_("extensionsRequired", to=["ACME_bones"]),
        "P001",
        refused='/extensionsRequired/0: the file requires the extension "ACME_bones", which is not applied: export it without',
    ),
    Broken("a used extension that is not known", set_("extensionsUsed", to=["ACME_bones"]), "P003"),
    Broken(
        "a file of version 1",
        set_("asset", "version", to="1.0"),
        "P001",
        refused='/asset/version: expected glTF version 2.0, found "1.0": export the file as glTF 2.0',
    ),
    Broken(
        "no asset",
        without("asset"),
        "P001",
        refused="/asset: expected an object, found nothing: correct it or export the file again",
    ),
    Broken(
        "arrays nested 200 deep",
        set_("extras", to=functools.reduce(lambda inner, _: [inner], range(200), [])),
        "P001",
        refused="the JSON nests 202 deep; at most 128 are read: correct it or export the file again",
    ),
    Broken(
        "nodes that are no array",
        set_("nodes", to={"0": {}}),
        "P001",
        refused="/nodes: expected an array of objects, found an object: correct it or export the file again",
    ),
    Broken(
        "a node that is no object",
        set_("nodes", 1, to=3),
        "P001",
        refused="/nodes/1: expected an object, found 3: correct it or export the file again",
    ),
)
