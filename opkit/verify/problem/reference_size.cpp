#include "opkit/verify/problem/reference_size.h"

#include <algorithm>

#include "opkit/oracle/evaluate_bounded.h"
#include "opkit/verify/problem/least_elements.h"
#include "opkit/verify/problem_inputs.h"

namespace opkit::verify {

std::optional<int64_t> reference_elements(const OpContract& contract, const Problem& problem) {
  const auto blanks = make_blanks(contract, problem);
  if (!blanks.ok()) return std::nullopt;
  const auto lowered = oracle::lowered_call(
      {&contract, &blanks->inputs, problem.attrs, problem.symbols, problem.column});
  if (!lowered.ok()) return std::nullopt;
  int64_t total = 0;
  for (const auto& [name, value] : lowered->graph.values) {
    if (!value.shape) return std::nullopt;
    const auto elements = value.shape->checked_elements();
    if (!elements.ok()) return std::nullopt;
    total = std::min(total + std::min(*elements, kManyElements), kManyElements);
  }
  return total;
}

}  // namespace opkit::verify
