"""What an instance's YAML document says; errors name the place inside the document."""

from __future__ import annotations

from calmip.documents.placed import Placed
from calmip.documents.yaml import Items, Node, Table, Text
from calmip.errors import InputError, shown

__all__ = ["INSTANCE_KEYS", "labels_of", "placed_of"]

INSTANCE_KEYS = ("puzzle", "reveal", "placed", "flip", "name", "note")


def labels_of(node: Node) -> dict[str, str] | list[str]:
    """Return the labels under ``reveal``, by group or as a list; raise `InputError` otherwise."""
    if isinstance(node, Table) and all(isinstance(value, Text) for value in node.values()):
        return {str(group): str(label) for group, label in node.items()}
    if isinstance(node, Items) and all(isinstance(value, Text) for value in node):
        return [str(label) for label in node]
    raise InputError(
        "reveal is a mapping such as {month: Feb, day: 29}, or a list of labels",
        where=("reveal",),
    )


def placed_of(node: Node) -> Placed:
    """Return what stands under ``placed`` as plain texts; raise `InputError` for anything else."""
    if isinstance(node, Text):
        return str(node)
    if isinstance(node, Items) and all(isinstance(entry, Text) for entry in node):
        return [str(entry) for entry in node]
    if isinstance(node, Table):
        places: dict[str, str | list[str]] = {}
        for piece, value in node.items():
            if isinstance(value, Text):
                places[str(piece)] = str(value)
            elif isinstance(value, Items) and all(isinstance(place, Text) for place in value):
                places[str(piece)] = [str(place) for place in value]
            else:
                raise InputError(
                    f'placed: give the places of {shown(piece)} as in [15, 16] or ["3,0", "3,1"]',
                    where=("placed", str(piece)),
                )
        return places
    raise InputError(
        'placed is a mapping such as {U: [15, 16]}, or a list such as ["U:15+16"]',
        where=("placed",),
    )
