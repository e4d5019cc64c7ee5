"""What makes a page of a folder: its address, its document's variables, its template, its posts."""
