"""Read models: what is read is made from the log and may be made again at any time."""
