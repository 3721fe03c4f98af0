"""Every snippet and every import of the source documents, one test each."""
