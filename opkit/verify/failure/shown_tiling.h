// What the tiling function answers for a problem that failed, for a report.
#ifndef OPKIT_VERIFY_FAILURE_SHOWN_TILING_H_
#define OPKIT_VERIFY_FAILURE_SHOWN_TILING_H_

#include <optional>
#include <string>
#include <vector>

#include "opkit/base/json.h"
#include "opkit/call/execute/executor.h"
#include "opkit/call/tiling/tiling_fields.h"
#include "opkit/verify/problem/problem.h"

namespace opkit::verify {

struct ShownTiling {
  uint64_t key = 0;
  uint32_t block_dim = 0;
  std::string data;                      // see tiling_data_text
  std::vector<TilingFieldValue> fields;  // empty: the plugin knows no names
  std::vector<std::string> unset;        // "field cap was never set (AddTilingData)"
};

// Returns nothing when the call is refused, or when the op has no tiling of its own.
std::optional<ShownTiling> shown_tiling(const OpContract& contract, Executor& executor,
                                        const Problem& problem);

// "key 3, 8 blocks; totalLength 1000, cap 0; field cap was never set".
std::string to_text(const ShownTiling& tiling);
Json as_json(const ShownTiling& tiling);

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_FAILURE_SHOWN_TILING_H_
