"""What a study's answers took of language models: tokens, money and time, added up by reader."""

from collections.abc import Iterable

from vivavoce.records import Cell, Cost


def costs(cells: Iterable[Cell]) -> dict[str, Cost]:
    """Of each reader that has a cost, the sum over its answers. Calls that came to no answer are not in it:
    the run log has those."""
    found: dict[str, Cost] = {}
    for cell in cells:
        add_costs(found, cell)
    return found


def add_costs(found: dict[str, Cost], cell: Cell) -> None:
    """Adds a cell's costs to those found so far."""
    for answer in cell.answers:
        if answer.cost is not None:
            found[answer.reader] = found.get(answer.reader, Cost(dollars=0.0)) + answer.cost


def money(dollars: float | None) -> str:
    """As people read it."""
    if dollars is None:
        return "price unknown"
    return f"${dollars:,.2f}" if dollars >= 1 or dollars == 0 else f"${dollars:.4f}"
