"""How a checkpoint lies on the disk: files, manifest, codec, migration. What others use is ``checkpoint``."""
