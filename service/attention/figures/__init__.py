"""How good decisions about attention are: held against what users did."""
