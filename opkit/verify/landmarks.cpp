#include "opkit/verify/landmarks.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <utility>

#include "opkit/contract/kernel_kind.h"
#include "opkit/verify/judge.h"

namespace opkit::verify {
namespace {

constexpr int64_t kProbes = 4;  // random problems per column

// Limits the words that fewer than a tenth of the probes name: most are sizes of those probes.
constexpr size_t kMostRare = 4;

using Words = std::map<int64_t, int>;  // how many probes named the word

void collect_words(const std::vector<std::byte>& data, int64_t most, Words& found) {
  std::set<int64_t> seen;
  for (size_t at = 0; at + sizeof(uint32_t) <= data.size(); at += sizeof(uint32_t)) {
    uint32_t word = 0;
    std::memcpy(&word, data.data() + at, sizeof(word));
    if (word >= 8 && static_cast<int64_t>(word) <= most) seen.insert(word);
  }
  for (const int64_t word : seen) ++found[word];
}

// Returns the sizes that most of `answers` probes name: what several name is a size of the op; what
// one names may be a size of the probe.
std::vector<int64_t> most_named(const Words& found, int answers) {
  std::vector<std::pair<int64_t, int>> words(found.begin(), found.end());
  std::stable_sort(words.begin(), words.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  const auto rare = std::find_if(words.begin(), words.end(),
                                 [&](const auto& word) { return 10 * word.second < answers; });
  if (static_cast<size_t>(words.end() - rare) > kMostRare)
    words.erase(rare + kMostRare, words.end());
  std::vector<int64_t> sizes;
  for (const auto& [word, probes] : words) sizes.push_back(word);
  return sizes;
}

}  // namespace

std::vector<int64_t> landmarks(const OpContract& contract, Executor& executor,
                               const std::string& soc, uint64_t seed, std::optional<size_t> column,
                               const std::function<void(const Problem&)>& asked) {
  Words found;
  int answers = 0;
  if (is_aicpu(contract)) return {};  // its tiling data is the call itself
  for (const PlannedProblem& probe :
       make_plan({&contract, {soc}, Tier::kSmoke, seed, {}, kProbes, column})) {
    if (probe.origin.rfind("data class", 0) != 0 && probe.origin != "random") continue;
    const auto call = make_facts(contract, probe.problem);
    if (!call.ok()) continue;
    asked(probe.problem);
    const auto plan = executor.plan(contract, probe.problem.soc, call->facts);
    if (!plan.ok() && plan.error().is(Cause::kTooSlow)) break;  // each more would take the limit
    if (!plan.ok()) continue;
    ++answers;
    collect_words((*plan)->tiling.data, element_budget(Tier::kNightly) / 4, found);
  }
  return most_named(found, answers);
}

}  // namespace opkit::verify
