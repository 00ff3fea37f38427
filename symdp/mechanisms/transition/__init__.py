"""Transition laws of one-dimensional diffusions with a closed kernel that is not Gaussian, as numbers. No sympy."""
