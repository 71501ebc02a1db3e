// Landmarks: sizes at which an op may change its ways, read from what its own tiling names.
#ifndef OPKIT_VERIFY_LANDMARKS_H_
#define OPKIT_VERIFY_LANDMARKS_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "opkit/call/execute/executor.h"
#include "opkit/verify/problem/plan.h"

namespace opkit::verify {

// Runs a few problems on `soc` (a full name) and collects the 32-bit words of their tiling data
// that could be sizes of shares or tiles, in elements, what most problems name first; of words that
// less than a tenth of the problems name, four. A problem that does not run gives none. `column`:
// the only one that counts; absent: every one. `asked` is told about each.
std::vector<int64_t> landmarks(const OpContract& contract, Executor& executor,
                               const std::string& soc, uint64_t seed, std::optional<size_t> column,
                               const std::function<void(const Problem&)>& asked);

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_LANDMARKS_H_
