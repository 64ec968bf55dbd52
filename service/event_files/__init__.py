"""Event files of other platforms: read, compared with what they publish, and written; pure."""
