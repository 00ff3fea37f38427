"""``python -m symdp`` is the command ``symdp``."""

import sys

from symdp.cli import main

if __name__ == "__main__":
    sys.exit(main())
