"""What is muted, why, and beginning anew."""
