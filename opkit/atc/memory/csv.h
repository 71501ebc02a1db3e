// Problems and plans as comma-separated text, in the columns that MiniMalloc's public instances
// have: "id,lower,upper,size", with "offset" behind them in a plan.
#ifndef OPKIT_ATC_MEMORY_CSV_H_
#define OPKIT_ATC_MEMORY_CSV_H_

#include <optional>
#include <string>
#include <string_view>

#include "opkit/atc/memory/buffer.h"

namespace opkit::memory_plan {

struct BufferTable {
  Buffers buffers;
  std::optional<Offsets> offsets;
};

std::string to_csv(const Buffers& buffers, const Offsets* offsets = nullptr);
// OPK-MEMORY-002 with line and column in `file`.
Result<BufferTable> parse_csv(std::string_view text, const std::string& file);

}  // namespace opkit::memory_plan

#endif  // OPKIT_ATC_MEMORY_CSV_H_
