#include "opkit/verify/problem/core_corners.h"

#include <set>

#include "opkit/soc/soc_spec.h"

namespace opkit::verify {

std::vector<int64_t> core_corners(const std::string& soc, int64_t line) {
  const auto match = find_soc(soc);
  if (!match.ok()) return {};
  std::set<int64_t> shares{1, 2, 5, 32, 33}, sizes;
  for (const int64_t lines : {1, 3, 32, 33, 1024}) shares.insert(lines * line);
  const auto& spec = match->spec->cores;
  for (const int64_t cores : std::set<int64_t>{spec.vector_core, spec.ai_core}) {
    for (const int64_t share : shares) {
      if (cores > 1) sizes.insert({cores * share + 1, cores * share + cores - 1});
    }
  }
  return {sizes.begin(), sizes.end()};
}

}  // namespace opkit::verify
