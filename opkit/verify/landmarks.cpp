#include "opkit/verify/landmarks.h"

#include <algorithm>
#include <cstring>
#include <set>

#include "opkit/verify/judge.h"

namespace opkit::verify {
namespace {

constexpr size_t kLandmarks = 6;
constexpr int64_t kProbes = 4;  // random problems per column

void collect_words(const std::vector<std::byte>& data, int64_t most, std::set<int64_t>& found) {
  for (size_t at = 0; at + sizeof(uint32_t) <= data.size(); at += sizeof(uint32_t)) {
    uint32_t word = 0;
    std::memcpy(&word, data.data() + at, sizeof(word));
    if (word >= 8 && static_cast<int64_t>(word) <= most) found.insert(word);
  }
}

std::vector<int64_t> spread(const std::set<int64_t>& found) {
  std::vector<int64_t> some;
  const size_t step = std::max<size_t>(1, found.size() / kLandmarks);
  size_t at = 0;
  for (const int64_t landmark : found) {
    if (at++ % step == 0) some.push_back(landmark);
  }
  return some;
}

}  // namespace

std::vector<int64_t> landmarks(const OpContract& contract, Executor& executor,
                               const std::string& soc, Tier tier, uint64_t seed) {
  std::set<int64_t> found;
  for (const PlannedProblem& probe :
       make_plan({&contract, {soc}, Tier::kSmoke, seed, {}, kProbes})) {
    if (probe.origin.rfind("data class", 0) != 0 && probe.origin != "random") continue;
    auto inputs = make_inputs(contract, probe.problem);
    if (!inputs.ok()) continue;
    const auto run = executor.run(
        {&contract, probe.problem.soc, std::move(inputs).value(), probe.problem.attrs, 1, false});
    if (run.ok()) collect_words(run->tiling_data, element_budget(tier) / 4, found);
  }
  return spread(found);
}

}  // namespace opkit::verify
