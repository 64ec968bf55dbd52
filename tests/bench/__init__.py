"""Measurements, as ratios within one run; `make bench` writes README.md beside this file."""
