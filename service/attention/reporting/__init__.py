"""What components report of users at work: any order, each event once."""
