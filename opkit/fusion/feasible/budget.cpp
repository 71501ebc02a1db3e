#include "opkit/fusion/feasible/budget.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "opkit/fusion/feasible/buffers.h"

namespace opkit::feasible {
namespace {

constexpr uint64_t kLine = 32;       // bytes; buffers begin at multiples of it
constexpr uint64_t kSide = 16;       // measures a fractal
constexpr uint64_t kMostSide = 256;  // limits a block
constexpr uint64_t kPanels = 4;      // steps of K whose panels lie in L1 at once

uint64_t align(uint64_t bytes) { return (bytes + kLine - 1) / kLine * kLine; }

class Planner {
 public:
  Planner(const Subject& subject, const TensorTotals& traffic, const Loops& loops,
          const SocSpec& soc)
      : graph_(subject.graph), loops_(loops), soc_(soc) {
    const size_t from = loops.heavy > 0 ? loops.first_heavy + 1 : 0;
    slots_ = slots_of(subject, traffic, from);
    if (loops.heavy > 0) slots_.push_back({"sums of the product", 4, 1, false, {}});
    find_row();
  }

  Result<Budget> run(const std::vector<uint64_t>& said) {
    OPKIT_CHECK(check(said));
    Budget budget;
    budget.soc = soc_.name;
    const Tile tile = said.empty() ? largest() : tile_of(said);
    fill(tile, budget);
    for (const Memory& memory : budget.memories) judge(memory, budget);
    return budget;
  }

 private:
  Status check(const std::vector<uint64_t>& said) const {
    const size_t wanted = loops_.cut == LoopCut::kBlocks ? 3 : 1;
    const bool positive =
        std::all_of(said.begin(), said.end(), [](uint64_t n) { return n > 0 && n <= 1u << 30; });
    if (said.empty() || (said.size() == wanted && positive)) return {};
    const char* form = wanted == 3                    ? "a block: --tile 128x128x64"
                       : loops_.cut == LoopCut::kRows ? "whole rows: --tile 8"
                                                      : "elements: --tile 8192";
    return Error("OPK-FEASIBLE-004",
                 fmt::format("a tile of {} does not suit these loops", fmt::join(said, "x")),
                 fmt::format("their tile is {}", form));
  }

  Tile tile_of(const std::vector<uint64_t>& said) const {
    Tile tile;
    if (loops_.cut == LoopCut::kBlocks) tile = {0, 0, 0, said[0], said[1], said[2]};
    if (loops_.cut == LoopCut::kRows) tile = {0, said[0], row_, 0, 0, 0};
    if (loops_.cut == LoopCut::kElements) tile.elements = said[0];
    return tile;
  }

  // The longest row that a reduction runs along.
  void find_row() {
    for (const graph::Node& node : graph_.nodes) {
      if (node.inputs.empty() || graph_.values.count(node.inputs[0]) == 0) continue;
      const Shape& shape = *graph_.values.at(node.inputs[0]).shape;
      if (shape.rank() > 0) row_ = std::max(row_, static_cast<uint64_t>(shape.dims().back()));
    }
  }

  uint64_t ub() const { return soc_.memory.ub - soc_.reserved_ub; }
  uint64_t l1() const { return soc_.memory.l1 - soc_.reserved_l1; }

  // Returns the bytes of a tile of so many elements in so many rows.
  uint64_t ub_bytes(uint64_t elements, uint64_t rows) const {
    uint64_t bytes = 0;
    for (const TileSlot& slot : slots_) bytes += bytes_in(slot, elements, rows) * slot.depth;
    return bytes;
  }
  static uint64_t bytes_in(const TileSlot& slot, uint64_t elements, uint64_t rows) {
    return align((slot.per_row ? std::max<uint64_t>(rows, 1) : elements) * slot.element_bytes);
  }

  uint64_t most(uint64_t size) const {
    return static_cast<uint64_t>(static_cast<double>(size) * kMostShare);
  }

  Tile largest() const {
    if (loops_.cut == LoopCut::kBlocks) return largest_block();
    const uint64_t unit = loops_.cut == LoopCut::kRows ? row_ : kLine;
    uint64_t low = 1, high = most(ub()) / std::max<uint64_t>(unit, 1) + 1;
    while (low < high) {  // the most units that fit
      const uint64_t middle = (low + high + 1) / 2;
      const uint64_t rows = loops_.cut == LoopCut::kRows ? middle : 1;
      if (ub_bytes(middle * unit, rows) <= most(ub()))
        low = middle;
      else
        high = middle - 1;
    }
    Tile tile;
    if (loops_.cut == LoopCut::kRows)
      tile = {0, low, row_, 0, 0, 0};
    else
      tile.elements = low * unit;
    return tile;
  }

  bool block_fits(uint64_t m, uint64_t n, uint64_t k) const {
    Budget budget;
    fill({0, 0, 0, m, n, k}, budget);
    return budget.largest_share() <= kMostShare;
  }

  // Returns the block of most elements, the squarest one of them, then the deepest.
  Tile largest_block() const {
    Tile best{0, 0, 0, kSide, kSide, kSide};
    for (uint64_t m = kSide; m <= kMostSide; m += kSide) {
      for (uint64_t n = kSide; n <= kMostSide; n += kSide) {
        const bool larger = m * n > best.m * best.n;
        const bool squarer = m * n == best.m * best.n && m + n < best.m + best.n;
        if ((larger || squarer) && block_fits(m, n, kSide)) best = {0, 0, 0, m, n, kSide};
      }
    }
    while (best.k < kMostSide && block_fits(best.m, best.n, best.k + kSide)) best.k += kSide;
    return best;
  }

  uint64_t operand_bytes() const {
    const graph::Node& node = graph_.nodes[loops_.first_heavy];
    return std::max<uint64_t>(1, opkit::bytes_of(graph_.values.at(node.inputs[0]).dtype, 1));
  }

  void fill(const Tile& tile, Budget& budget) const {
    budget.tile = tile;
    const uint64_t elements = loops_.cut == LoopCut::kBlocks ? tile.m * tile.n
                              : loops_.cut == LoopCut::kRows ? tile.rows * tile.columns
                                                             : tile.elements;
    const uint64_t rows = loops_.cut == LoopCut::kBlocks ? tile.m : tile.rows;
    for (const TileSlot& slot : slots_)
      budget.buffers.push_back(
          {slot.name, "UB", bytes_in(slot, elements, rows), slot.depth, slot.reuses});
    if (loops_.cut == LoopCut::kBlocks) add_cube(tile, budget);
    add_memories(budget);
    budget.tile_text =
        loops_.cut == LoopCut::kBlocks ? fmt::format("{} x {} x {}", tile.m, tile.n, tile.k)
        : loops_.cut == LoopCut::kRows ? fmt::format("{} rows of {}", tile.rows, tile.columns)
                                       : fmt::format("{} elements", tile.elements);
  }

  void add_cube(const Tile& tile, Budget& budget) const {
    const uint64_t bytes = operand_bytes();
    const uint64_t a = tile.m * tile.k * bytes, b = tile.k * tile.n * bytes;
    budget.buffers.push_back({"panel of a", "L1", a * kPanels, 1, {}});
    budget.buffers.push_back({"panel of b", "L1", b * kPanels, 1, {}});
    budget.buffers.push_back({"block of a", "L0A", a, 2, {}});
    budget.buffers.push_back({"block of b", "L0B", b, 2, {}});
    budget.buffers.push_back({"sums", "L0C", tile.m * tile.n * 4, 1, {}});
  }

  void add_memories(Budget& budget) const {
    const std::pair<const char*, uint64_t> sizes[] = {{"UB", ub()},
                                                      {"L1", l1()},
                                                      {"L0A", soc_.memory.l0a},
                                                      {"L0B", soc_.memory.l0b},
                                                      {"L0C", soc_.memory.l0c}};
    for (const auto& [name, size] : sizes) {
      Memory memory{name, 0, size};
      for (const TileBuffer& buffer : budget.buffers)
        if (buffer.memory == name) memory.used += buffer.all();
      if (memory.used > 0) budget.memories.push_back(std::move(memory));
    }
  }

  void judge(const Memory& memory, Budget& budget) const {
    if (memory.share() <= kMostShare) return;
    budget.fits = false;
    if (budget.why_not.empty())
      budget.why_not = fmt::format("{} take {} of {} bytes of {}", budget.tile_text, memory.used,
                                   memory.size, memory.name);
  }

  const graph::Graph& graph_;
  const Loops& loops_;
  const SocSpec& soc_;
  std::vector<TileSlot> slots_;
  uint64_t row_ = 1;
};

}  // namespace

double Budget::largest_share() const {
  double share = 0;
  for (const Memory& memory : memories) share = std::max(share, memory.share());
  return share;
}

Result<Budget> budget_of(const Subject& subject, const TensorTotals& traffic, const Loops& loops,
                         const SocSpec& soc, const std::vector<uint64_t>& tile) {
  return Planner(subject, traffic, loops, soc).run(tile);
}

}  // namespace opkit::feasible
