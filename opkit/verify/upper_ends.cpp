#include "opkit/verify/upper_ends.h"

#include <fmt/format.h>

#include <algorithm>

#include "opkit/verify/problem/domain.h"

namespace opkit::verify {
namespace {

// Limits beyond it are those of a type or of memory: no data have such a dim.
constexpr int64_t kLargestLimit = int64_t{1} << 24;
constexpr int64_t kAnyCall = int64_t{1} << 50;  // elements

int64_t largest_run(const std::string& symbol, const std::vector<ProblemResult>& results) {
  int64_t largest = -1;
  for (const ProblemResult& result : results) {
    const auto dim = result.problem.symbols.dims.find(symbol);
    if (result.ran && dim != result.problem.symbols.dims.end())
      largest = std::max(largest, dim->second);
  }
  return largest;
}

// Tells whether a size is met with the attributes of some problem.
bool is_met(const Domain& domain, const Symbol& symbol, int64_t size,
            const std::vector<ProblemResult>& results) {
  constexpr size_t kModels = 16;
  for (size_t i = 0; i < std::min(results.size(), kModels); ++i) {
    Draws draws(1, 29 + i);
    const Pin pin{symbol.name, size, std::nullopt, false};
    if (domain.solve({pin}, {}, results[i].problem.attrs, draws)) return true;
  }
  return false;
}

}  // namespace

std::vector<std::string> upper_ends_not_reached(const OpContract& contract,
                                                const std::vector<ProblemResult>& results) {
  std::vector<std::string> labels;
  const Domain domain(contract, kAnyCall);
  for (size_t s = 0; s < contract.symbols.size(); ++s) {
    const Symbol& symbol = contract.symbols[s];
    if (symbol.kind != Symbol::Kind::kDim) continue;
    const int64_t most = domain.largest(s), run = largest_run(symbol.name, results);
    if (run < 0 || run >= most || most > kLargestLimit) continue;
    if (is_met(domain, symbol, most, results))
      labels.push_back(fmt::format("{} above {} on data (it may be {})", symbol.name, run, most));
  }
  return labels;
}

}  // namespace opkit::verify
