"""Errata of papers 000 to 004, computed: each check is the printed statement beside the right one, on a small example.

Run by `python3 docs/errata`; nothing beside Python 3.9 is needed. The page of the book is docs/src/errata.md.
"""
import sys

sys.dont_write_bytecode = True

import matrices
import plans
import polynomials
import sorting
import spectral

failed = 0
for module in (spectral, sorting, matrices, polynomials, plans):
    for erratum, check in module.CHECKS.items():
        printed, right, shown = check()
        holds = printed != right
        failed += not holds
        print(f"{erratum}: {shown}; printed {printed}, right {right}{'' if holds else '  <- NO DIFFERENCE'}")
raise SystemExit(failed)
