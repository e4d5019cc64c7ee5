"""What a model is told of saved tasks: a packet for a turn that wants one, and a card that always stands."""
