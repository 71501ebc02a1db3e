// Cut: along which axis the tensors of a reference can be taken apart, so that a call too large to
// be evaluated at once is evaluated in parts; and what those ask who look for one.
#ifndef OPKIT_ORACLE_CUT_H_
#define OPKIT_ORACLE_CUT_H_

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "opkit/contract/lower.h"

namespace opkit::oracle {

// Names a reference that has no part of its own: a node needs its operands whole.
inline constexpr const char* kNeedsWhole = "OPK-VERIFY-014";

struct Cut {
  // Holds the axis of each tensor that is cut; the others are whole.
  std::map<std::string, size_t> axes;
  int64_t extent = 0;  // measures that axis, the same in all of them
  int64_t unit = 0;    // elements of the largest cut tensor for each step along the axis
  // Holds, for each Trilu by its place among the nodes, what its diagonal moves by for each step in
  // front of the part: 1 where rows are cut, -1 where columns are.
  std::map<size_t, int64_t> triangles = {};
};

Error cannot_cut(std::string message);
// Returns the error of a node of which no part can be computed.
Error needs_operands_whole(const graph::Node& node);

// Returns null unless every dim is known.
const Shape* known_shape(const graph::Graph& graph, const std::string& name);

// Returns the axes of a reduction as attribute or constant states them; none where nobody knows
// them before the call, or where all are meant.
std::vector<int64_t> reduced_axes(const graph::Graph& graph, const graph::Node& node);
bool keeps_reduced(const graph::Node& node);

// Returns the axes that a cut may take, counted from the last one, with their extents: of the
// largest tensor first, the outermost first, since its parts lie in one piece.
std::vector<std::pair<size_t, int64_t>> places_of(const graph::Graph& graph,
                                                  const std::vector<std::string>& names);

// Sets the unit. Error: kNeedsWhole where one step, or a tensor that stays whole, has more elements
// than `most`.
Status measure_cut(const graph::Graph& graph, int64_t most, Cut& cut);

}  // namespace opkit::oracle

#endif  // OPKIT_ORACLE_CUT_H_
