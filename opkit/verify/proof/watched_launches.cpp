#include "opkit/verify/proof/watched_launches.h"

#include <algorithm>
#include <bit>

namespace opkit::verify {
namespace {

constexpr int kMostAlike = 3;

}  // namespace

bool WatchedLaunches::needs(const CallPlan& plan, uint64_t instructions) {
  if (instructions > most_) return false;
  const uint64_t work = instructions / std::max<uint32_t>(plan.tiling.block_dim, 1);
  int& alike = watched_[{plan.soc, plan.binding.column, plan.tiling.key, std::bit_width(work)}];
  if (alike >= kMostAlike) return false;
  ++alike;
  return true;
}

}  // namespace opkit::verify
