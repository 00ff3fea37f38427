"""A derivation for people and programs: JSON data, text, HTML and LaTeX. Nothing here decides anything."""
