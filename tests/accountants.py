"""Accountants that do what accountants may do wrong, as the text of a module."""

ACCOUNTANTS = """
import os, sys, time
from symdp.mechanisms.sampled_gaussian import renyi_upper

def right(q, sigma, orders):
    return renyi_upper(q, sigma, orders)

def faulty(q, sigma, orders):
    print("reading", sys.stdin.read(), flush=True)
    os.system("echo noise; echo noise >&2")
    values = list(renyi_upper(q, sigma, orders))
    for place, order in enumerate(orders):
        if order == 2.5: values[place] *= 1 - 1e-9
        if order == 3.0: values[place] = -values[place]
        if order == 3.5: values[place] = float("nan")
        if order == 4.0: values[place] = float("inf")
        if order == 4.5: values[place] *= 1.5
        if order == 5.0: raise ValueError("no\\nsuch order")
        if order == 5.5: time.sleep(60)
        if order == 6.0: os._exit(3)
        if order == 6.5: values.append(1.0)
        if order == 7.0: sys.exit("stop")
        if order == 7.5: values[place] = "0.1"
        if order == 8.0: values[place] = 1j
        if order == 8.5: return None
        if order == 9.0:
            if os.fork() == 0: time.sleep(60)
            os._exit(4)
    return values

class Holder:
    @staticmethod
    def rdp(q, sigma, orders):
        return [0.0 for _ in orders]

def stubborn(q, sigma, orders):
    if 5.5 in orders: time.sleep(60)
    if 6.0 in orders: os._exit(3)
    return renyi_upper(q, sigma, orders)

number = 3
"""
SLOW = """
import time

def hangs(q, sigma, orders):
    time.sleep(60)
"""
FAULTS = {2.5: "below", 3.0: "negative", 3.5: "nan", 4.0: "infinite", 4.5: "above", 5.0: "exception", 5.5: "hang"} | {
    6.0: "died",
    6.5: "shape",
    7.0: "exception",
    7.5: "shape",
    8.0: "shape",
    8.5: "shape",
    9.0: "died",
}


def csv_file(folder, *lines):
    """A grid as a file of the folder."""
    path = folder / "points.csv"
    path.write_text("\n".join(lines) + "\n")
    return str(path)
