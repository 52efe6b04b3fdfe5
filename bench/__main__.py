"""``python -m bench``: run every benchmark and print its tables."""

from bench import acts, documents, evaluators, exact, ledger, pages, papers, sheets, simulate, web

BENCHMARKS = (
    acts.run, documents.run, evaluators.run, exact.run, simulate.run, ledger.run, papers.run, sheets.run, web.run,
    pages.run,
)  # fmt: skip


def main() -> None:
    for benchmark in BENCHMARKS:
        for title, rows in benchmark():
            widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
            print(f"\n{title}\n")
            for first, *others in rows:
                cells = [text.rjust(width) for text, width in zip(others, widths[1:], strict=True)]
                print("  ".join([first.ljust(widths[0]), *cells]))


if __name__ == "__main__":
    main()
