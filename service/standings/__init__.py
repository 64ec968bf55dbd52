"""Standings of tournaments on exact fractions: records, profiles, tables, reasons, cuts; pure."""
