"""``python -m symdp.claims``: compute every verdict, record it and write the index."""

from __future__ import annotations

import sys

from symdp.claims import check, items, root, write_index, write_verdicts
from symdp.errors import SymdpError


def main() -> int:
    """Exit code 0 if every file could be judged, whatever the verdicts are; 1 with one line otherwise."""
    try:
        folder = root()
        verdicts = [verdict for item in items(folder) for verdict in check(item)]
        written = write_verdicts(verdicts, folder), write_index(verdicts, folder)
    except SymdpError as error:
        print(error, file=sys.stderr)
        return 1
    for verdict in verdicts:
        print(f"{verdict.id}: {verdict.verdict} ({verdict.reason})")
    print("written:", *written)
    return 0


if __name__ == "__main__":
    sys.exit(main())
