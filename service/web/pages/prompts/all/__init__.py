"""Is this a good prompt?"""
