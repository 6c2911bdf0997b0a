"""A modelling language of a few lines, as a company may have: it speaks the protocol of arrays.

It knows nothing of calmip.
"""

from collections.abc import Mapping
from fractions import Fraction


class Crop:
    """A decision: how many fields have this crop."""

    def __init__(self, name: str, profit: float, most: int) -> None:
        self.name, self.profit, self.most = name, profit, most
        self.fields: float | None = None


class Farm:
    """A plan of fields that maximises the profit within limits."""

    def __init__(self) -> None:
        self.crops: list[Crop] = []
        self.limits: dict[str, tuple[dict[Crop, float], float]] = {}

    def crop(self, name: str, profit: float, most: int) -> Crop:
        self.crops.append(Crop(name, profit, most))
        return self.crops[-1]

    def limit(self, name: str, use: Mapping[Crop, float], most: float) -> None:
        self.limits[name] = (dict(use), most)

    def __mip_arrays__(self) -> dict[str, object]:
        return {
            "version": 1,
            "c": [crop.profit for crop in self.crops],
            "A": [[use.get(crop, 0) for crop in self.crops] for use, _ in self.limits.values()],
            "row_upper": [most for _, most in self.limits.values()],
            "upper": [crop.most for crop in self.crops],
            "integrality": 1,
            "maximise": True,
            "names": [crop.name for crop in self.crops],
            "row_names": list(self.limits),
            "variables": self.crops,
            "name": "farm",
        }

    def __mip_values__(self, values: list[int | Fraction]) -> None:
        for crop, value in zip(self.crops, values, strict=True):
            crop.fields = float(value)
