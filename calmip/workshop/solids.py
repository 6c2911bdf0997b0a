"""Parts as solids for 3D printers, in STL and 3MF: closed surfaces, in millimetres."""

from __future__ import annotations

import io
import itertools
import struct
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from calmip._base.errors import needed_by
from calmip.puzzle.lattice import Point
from calmip.puzzle.render.escaping import xml_text
from calmip.puzzle.render.outline import Curve
from calmip.puzzle.render.svg import number
from calmip.workshop.cut import Cutting
from calmip.workshop.workpieces import Part, Sheet, flat

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Mesh = tuple[npt.NDArray[np.float32], npt.NDArray[np.int32]]
    """The corners of a surface, and three of them for each triangle."""

GROOVE_WIDTH, GROOVE_DEPTH_MM = 0.04, 0.6
"""The width of engraved lines in cells, and their depth in millimetres, at most a third."""

GROOVE_PRECISION_MM = 1e-3
"""Millimetres: the precision of the grooves."""

CIRCLE_CORNERS = 16
"""The corners of the circle at a groove's end."""

TYPES = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" '
    'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="model" '
    'ContentType="application/vnd.ms-package.3dmanufacturing-3dmodel+xml"/>'
    "</Types>\n"
)
RELATIONS = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    '<Relationship Id="rel0" Target="/3D/3dmodel.model" '
    'Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/>'
    "</Relationships>\n"
)
CORE = "http://schemas.microsoft.com/3dmanufacturing/core/2015/02"


def solid_file(sheet: Sheet, cutting: Cutting, form: str, title: str) -> bytes:
    """Return the parts of a sheet as an STL or a 3MF file.

    Raises
    ------
    SolverMissing
        If the package that makes solids is not installed.
    """
    made = meshes(sheet, cutting)
    return _stl(made) if form == "stl" else _3mf(sheet, made, title)


def meshes(sheet: Sheet, cutting: Cutting) -> list[Mesh]:
    """Return the surface of each part, y upwards and the sheet at height 0."""
    missing = "solids need the package manifold3d, which is not installed; "
    missing += "get it with: pip install 'calmip[make]'"
    with needed_by("a solid", "manifold3d", lambda _: missing):
        import manifold3d
    return [_mesh(part, cutting, manifold3d) for part in sheet]


def _mesh(part: Part, cutting: Cutting, library: Any) -> Mesh:
    import numpy as np

    height, thick = cutting.sheet[1], cutting.thickness

    def region(curves: Iterable[Curve]) -> Any:
        loops = [[(x, height - y) for x, y in flat(curve, halvings=5)] for curve in curves]
        return library.CrossSection(loops, library.FillRule.EvenOdd)

    solid = library.Manifold.extrude(region(part.cut), thick)
    if part.engraved:
        depth = min(GROOVE_DEPTH_MM, thick / 3)
        grooves = _grooves(part.engraved, cutting, library)
        cut = library.Manifold.extrude(grooves, 2 * depth).translate((0, 0, thick - depth))
        solid -= cut
    if part.above:
        # It reaches half a layer down: where bodies overlap, no two faces lie in one another.
        upper = library.Manifold.extrude(region(part.above), 1.5 * thick)
        solid += upper.translate((0, 0, thick / 2))
    found = solid.to_mesh()
    return np.asarray(found.vert_properties)[:, :3], np.asarray(found.tri_verts)


def _grooves(curves: Iterable[Curve], cutting: Cutting, library: Any) -> Any:
    """Return the area that a round tool passes along lines."""
    end = library.CrossSection.circle(GROOVE_WIDTH * cutting.cell / 2, CIRCLE_CORNERS)

    def at(point: Point) -> Any:
        return end.translate((point[0], cutting.sheet[1] - point[1]))

    ways = [
        library.CrossSection.batch_hull([at(here), at(there)])
        for curve in curves
        for here, there in itertools.pairwise(flat(curve, closed=False))
    ]
    # Without points that are nearer than numbers of single precision can tell apart.
    return library.CrossSection.batch_boolean(ways, library.OpType.Add).simplify(
        GROOVE_PRECISION_MM
    )


def _stl(made: Sequence[Mesh]) -> bytes:
    """Return a binary file; it has triangles alone, in millimetres by custom."""
    import numpy as np

    corners = np.concatenate([points[triangles] for points, triangles in made]).astype("<f4")
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    length = np.linalg.norm(normals, axis=1, keepdims=True)
    records = np.zeros(len(corners), dtype=[("numbers", "<f4", (4, 3)), ("none", "<u2")])
    records["numbers"][:, 0] = normals / np.where(length > 0, length, 1)
    records["numbers"][:, 1:] = corners
    return b"calmip".ljust(80) + struct.pack("<I", len(corners)) + records.tobytes()


def _3mf(sheet: Sheet, made: Sequence[Mesh], title: str) -> bytes:
    """Return a package with an object for each part."""
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as package:
        for name, text in (
            ("[Content_Types].xml", TYPES),
            ("_rels/.rels", RELATIONS),
            ("3D/3dmodel.model", "\n".join(_model(sheet, made, title)) + "\n"),
        ):
            # The first day that such a file can have: the same parts give the same bytes.
            package.writestr(zipfile.ZipInfo(name), text, zipfile.ZIP_DEFLATED)
    return sink.getvalue()


def _model(sheet: Sheet, made: Sequence[Mesh], title: str) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield f'<model unit="millimeter" xml:lang="en-US" xmlns="{CORE}">'
    yield f'<metadata name="Title">{xml_text(title)}</metadata>'
    yield "<resources>"
    for place, (part, (points, triangles)) in enumerate(zip(sheet, made, strict=True), start=1):
        yield f'<object id="{place}" type="model" name="{xml_text(part.name)}"><mesh><vertices>'
        for x, y, z in points.tolist():
            yield f'<vertex x="{number(x, 5)}" y="{number(y, 5)}" z="{number(z, 5)}"/>'
        yield "</vertices><triangles>"
        for a, b, c in triangles.tolist():
            yield f'<triangle v1="{a}" v2="{b}" v3="{c}"/>'
        yield "</triangles></mesh></object>"
    yield "</resources><build>"
    yield from (f'<item objectid="{place}"/>' for place in range(1, len(sheet) + 1))
    yield "</build></model>"
