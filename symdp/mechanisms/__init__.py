"""Mechanisms whose privacy loss is computed to proved digits."""
