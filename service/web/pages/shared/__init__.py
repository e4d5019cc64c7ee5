"""What a share tells, as a page: of its manifest alone, without the frame that principals have."""
