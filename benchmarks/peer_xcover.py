"""The number of solutions of an exact cover by a package of PyPI: xcover or pyxcc.

    python benchmarks/peer_xcover.py xcover < COVER.dlx

Both have dancing cells with colours, compiled by numba and from Rust. Nothing but the standard
library and the package is imported.
"""

import sys


def main():
    items, *options = (line.split() for line in sys.stdin)
    at = items.index("|") if "|" in items else len(items)
    primary, secondary = items[:at], items[at + 1 :]
    if sys.argv[1] == "xcover":
        from xcover import covers

        found = covers(options, primary=primary, secondary=secondary, colored=True)
        number = sum(1 for _ in found)
    else:
        import pyxcc

        inside, chosen = set(primary), []
        for place, words in enumerate(options):
            others = [tuple(word.partition(":")[::2]) for word in words if word not in inside]
            own = [word for word in words if word in inside]
            chosen.append(pyxcc.Option(f"o{place}", own, others))
        number = pyxcc.solve(pyxcc.Problem(primary, secondary, chosen), True).count()
    print(number, 0)


main()
