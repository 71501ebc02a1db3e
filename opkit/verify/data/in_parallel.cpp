#include "opkit/verify/data/in_parallel.h"

#include <algorithm>
#include <thread>
#include <vector>

namespace opkit::verify {

void in_parallel(int64_t count, const std::function<void(int64_t, int64_t)>& part) {
  constexpr int64_t kShort = int64_t{1} << 20, kUnit = 64;
  const auto hosts = static_cast<int64_t>(std::max(1u, std::thread::hardware_concurrency()));
  const int64_t threads = std::clamp<int64_t>(count / kShort, 1, hosts);
  if (threads == 1) return part(0, count);
  const int64_t share = (count / threads + kUnit - 1) / kUnit * kUnit;
  std::vector<std::jthread> workers;
  for (int64_t begin = 0; begin < count; begin += share)
    workers.emplace_back(
        [&part, begin, end = std::min(begin + share, count)] { part(begin, end); });
}

}  // namespace opkit::verify
