// Slots: tensors of the vector unit's memory that a fused kernel keeps at once, with in-place
// reuse. Private to this folder.
#ifndef OPKIT_FUSION_FEASIBLE_BUFFERS_H_
#define OPKIT_FUSION_FEASIBLE_BUFFERS_H_

#include <string>
#include <vector>

#include "opkit/fusion/feasible/traffic.h"

namespace opkit::feasible {

// A tensor of a tile. per_row: it holds one number for a row, not one for an element.
struct TileSlot {
  std::string name;
  uint64_t element_bytes = 0;
  uint64_t depth = 1;
  bool per_row = false;
  std::string reuses;  // later tensors that lie in it: "sum, z"
};

// Copied tensors with two buffers each, their wide forms where the unit computes in float, and as
// few inner tensors as their lives allow: a result of an element-wise operator lies over an operand
// that ends there. `from`: nodes in front of it leave what they make elsewhere (a product).
std::vector<TileSlot> slots_of(const Subject& subject, const TensorTotals& traffic, size_t from);

}  // namespace opkit::feasible

#endif  // OPKIT_FUSION_FEASIBLE_BUFFERS_H_
