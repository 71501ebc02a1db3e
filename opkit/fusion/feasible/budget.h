// Budget: what the fused kernel keeps on the chip, to the byte, and the largest tile that fits.
#ifndef OPKIT_FUSION_FEASIBLE_BUDGET_H_
#define OPKIT_FUSION_FEASIBLE_BUDGET_H_

#include <optional>
#include <string>
#include <vector>

#include "opkit/fusion/feasible/shape_of_loops.h"
#include "opkit/fusion/feasible/traffic.h"
#include "opkit/soc/soc_spec.h"

namespace opkit::feasible {

// How a kernel is cut: elements (of a chain), whole rows, or a block of a product.
struct Tile {
  uint64_t elements = 0;           // kElements
  uint64_t rows = 0, columns = 0;  // kRows: rows of `columns` elements
  uint64_t m = 0, n = 0, k = 0;    // kBlocks
};

struct TileBuffer {
  std::string name;    // the tensor: "x", "x as float", "t0"
  std::string memory;  // "UB", "L1", "L0A", "L0B", "L0C"
  uint64_t bytes = 0;  // counts the bytes of one buffer
  uint64_t depth = 1;  // 2: filled while the other one is used
  std::string reuses;  // tensors that take turns in it; empty: one alone

  uint64_t all() const { return bytes * depth; }
};

struct Memory {
  std::string name;
  uint64_t used = 0, size = 0;

  double share() const {
    return size == 0 ? 0 : static_cast<double>(used) / static_cast<double>(size);
  }
};

struct Budget {
  std::string soc;
  Tile tile;
  std::string tile_text;  // "8192 elements", "4 rows of 768", "128 x 128 x 64"
  std::vector<TileBuffer> buffers;
  std::vector<Memory> memories;  // those that are used
  bool fits = true;              // the least tile stays within 80 % of every memory
  std::string why_not;           // "a row of 40001 elements takes 640016 of 196352 bytes of UB"

  double largest_share() const;
};

inline constexpr double kMostShare = 0.8;  // limits what is filled of a memory, by the checklist

// Computes the budget for a given tile, else for the largest one that stays within 80 % of every
// memory. Error: OPK-FEASIBLE-004 a tile that does not suit the loops.
Result<Budget> budget_of(const Subject& subject, const TensorTotals& traffic, const Loops& loops,
                         const SocSpec& soc, const std::vector<uint64_t>& tile);

}  // namespace opkit::feasible

#endif  // OPKIT_FUSION_FEASIBLE_BUDGET_H_
