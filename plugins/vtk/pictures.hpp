#pragma once
/// \file The World as VTK data. Everything is in id order, so that files do not depend on the order of rows.

#include <vtkSmartPointer.h>

#include <span>
#include <string>
#include <vector>

#include "contact_sums.hpp"
#include "scree/hooks/bond_values.hpp"
#include "scree/hooks/contact_view.hpp"
#include "scree/world/world.hpp"

class vtkPolyData;

namespace scree::vtk {

using Data = vtkSmartPointer<vtkPolyData>;
using Rows = std::vector<std::uint32_t>;

/// Surfaces by shape index, in 2D as fans (fan.hpp). Shapes are immutable: each is asked once.
class Surfaces {
 public:
  const Surface& of(const World& world, std::uint32_t shape);

 private:
  std::vector<Surface> cache_;
};

/// Rows of the particles (kind dynamic), or of everything else, in id order.
Rows particle_rows(const World& world);
Rows wall_rows(const World& world);

/// Columns shown of each body, besides its speed.
struct Shown {
  std::vector<std::string> columns;   ///< names of columns, and of what contacts tell: see kFromContacts
  const ContactSums* sums = nullptr;  ///< for the latter
};
inline const char* const kSpeed = "speed";  ///< [m/s], of every body in every picture
/// `coordination`, `pressure` and `stress` of ContactSums.
inline const std::vector<std::string> kFromContacts = {"coordination", "pressure", "stress"};

/// Adds what the integers in `shape`, `material` and `group` stand for, as field data `shape_names` and so on, and
/// `shape_is_point`: 1 where bodies of the shape are points of a continuum, and their surface is a sign for them.
void add_names(vtkPolyData& data, const World& world);

/// Every body's surface in its place: points [m], one cell per cell of the surface with what is shown of the body as
/// cell data.
Data surface_picture(const World& world, std::span<const std::uint32_t> rows, const Shown& shown, Surfaces& surfaces);

/// One point per body [m] with what is shown of it as point data, besides `quaternion` (w, x, y, z) and `scale` (of the
/// shape's surface, the same along all axes).
Data glyph_picture(const World& world, std::span<const std::uint32_t> rows, const Shown& shown);

/// Checks whether the rows of a table have a place: a column "position" of vectors.
bool has_places(const Table& table);
/// One point per row [m] in order of id, with the columns that are meant to be shown, besides `id`. \pre has_places()
Data table_picture(const Table& table);

/// A shape's surface in its body frame [m].
Data template_picture(const Surface& surface);

/// One line per contact that touches or pulls: between the centres of mass, or, where one side is a wall, from the
/// particle's to the contact point. Cell data: force_magnitude and force on b [N], overlap [m], normal from a to b,
/// point [m], id_a, id_b.
Data contact_picture(const World& world, const ContactView& contacts);

/// One line per bond between the centres of its bodies [m], in the World's order; of broken ones too, as long as both
/// bodies are there. Cell data: state (1 holds, 0 broken), broken_at [s] (-1 while it holds), strain (of the length),
/// turn (of b against a, since the bond was made) [rad], section [m^2], entry of the scene's `bonds`, id_a, id_b, and
/// all columns of `values`, which are NaN where the bond is broken.
Data bond_picture(const World& world, const BondValues& values);

}  // namespace scree::vtk
