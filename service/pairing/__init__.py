"""Who plays whom: Swiss rounds, round robins and brackets; pure, and every chance from a seed."""
