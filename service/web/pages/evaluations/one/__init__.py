"""What each variant was given, by groups of cases and case by case."""
