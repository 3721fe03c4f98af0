"""Writers of trained policies in formats that need no training library."""
