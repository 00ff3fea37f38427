"""Ranges of expressions over boxes, attained ends and infinite sides included."""
