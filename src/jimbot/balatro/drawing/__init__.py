"""Runs drawn for people: text for terminals, pictures and animations."""
