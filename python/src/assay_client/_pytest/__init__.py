"""Parts of the pytest plugin that are imported only with --assay."""
