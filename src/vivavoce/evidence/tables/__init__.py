"""Answers and labels in tables that people and other tools made: their forms, their names for things."""
