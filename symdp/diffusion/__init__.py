"""Diffusions: the process as typed, its calculus, its boundary, and the kernels that are known in closed form."""
