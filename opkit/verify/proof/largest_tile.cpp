#include "opkit/verify/proof/largest_tile.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "opkit/verify/proof/usable_bytes.h"

namespace opkit::verify {
namespace {

constexpr uint64_t kBlock = 32;  // bytes; buffers are multiples of it

const char* name_of(opk_memory memory) {
  static constexpr const char* kNames[] = {"GM", "UB", "L1", "L0A", "L0B", "L0C", "BT", "FB"};
  return memory < OPK_MEM_COUNT ? kNames[memory] : "?";
}

uint64_t scaled(uint64_t bytes, uint64_t capacity, uint64_t total) {
  return bytes * capacity / total / kBlock * kBlock;
}

// Sizes of elements that occur in the column.
std::set<uint64_t> element_sizes(const OpContract& contract, size_t column) {
  std::set<uint64_t> sizes;
  for (const auto* side : {&contract.inputs, &contract.outputs}) {
    for (const Port& port : *side) {
      const auto bits = static_cast<uint64_t>(bits_of(port.dtypes[column]));
      if (bits >= 8) sizes.insert(bits / 8);
    }
  }
  return sizes;
}

// Returns the number in the tiling data that is the buffer's length in elements; 0 = none.
uint64_t tile_of(const CoverRun& run, uint64_t buffer_bytes, const std::set<uint64_t>& sizes) {
  const std::vector<std::byte>& data = run.plan->tiling.data;
  for (size_t at = 0; at + sizeof(uint32_t) <= data.size(); at += sizeof(uint32_t)) {
    uint32_t word = 0;
    std::memcpy(&word, data.data() + at, sizeof word);
    for (const uint64_t size : sizes) {
      const uint64_t bytes = (word * size + kBlock - 1) / kBlock * kBlock;
      if (word > 1 && bytes == buffer_bytes) return word;
    }
  }
  return 0;
}

}  // namespace

std::string largest_tile_text(const OpContract& contract, const Problem& problem,
                              const CoverRun& roomy) {
  for (int m = OPK_MEM_UB; m < OPK_MEM_COUNT; ++m) {
    const auto memory = static_cast<opk_memory>(m);
    uint64_t total = 0, largest = 0;
    for (const core::CoverBuffer& buffer : roomy.report.buffers) {
      if (buffer.memory != memory) continue;
      total += uint64_t{buffer.count} * buffer.bytes;
      largest = std::max<uint64_t>(largest, buffer.bytes);
    }
    const uint64_t capacity = usable_bytes(problem.soc, memory);
    if (total <= capacity || capacity == 0) continue;
    std::string text = fmt::format("; in all its buffers take {} bytes of {}, of which {} has {}",
                                   total, name_of(memory), problem.soc, capacity);
    uint64_t tile = 0;
    const std::set<uint64_t> sizes = element_sizes(contract, roomy.plan->binding.column);
    for (const core::CoverBuffer& buffer : roomy.report.buffers) {
      if (buffer.memory == memory && tile == 0) tile = tile_of(roomy, buffer.bytes, sizes);
    }
    if (tile == 0)
      return text + fmt::format(": buffers of {} bytes fit where these have {}",
                                scaled(largest, capacity, total), largest);
    const uint64_t step = kBlock / std::max<uint64_t>(1, *sizes.begin());
    return text + fmt::format(": a tile of at most {} elements fits (this one: {})",
                              tile * capacity / total / step * step, tile);
  }
  return {};
}

}  // namespace opkit::verify
