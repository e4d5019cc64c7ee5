"""Design sessions: from what somebody wants to a proposal that is checked, with few questions."""
