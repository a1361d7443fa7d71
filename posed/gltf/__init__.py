"""glTF files: bytes in, a checked `Model` out; one glTF noun a module."""
