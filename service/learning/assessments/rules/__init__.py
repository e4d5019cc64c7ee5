"""Rules of assessments, a file for each kind of finding. Each rule has a name and a version."""
