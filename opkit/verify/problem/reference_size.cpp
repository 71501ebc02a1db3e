#include "opkit/verify/problem/reference_size.h"

#include <algorithm>

#include "opkit/oracle/oracle_in_parts.h"
#include "opkit/verify/problem/least_elements.h"
#include "opkit/verify/problem_inputs.h"

namespace opkit::verify {
namespace {

constexpr int64_t kPartOfReference = int64_t{1} << 20;  // elements of a tensor
// Values of a reference, at once and part by part.
constexpr int64_t kMostWhole = int64_t{10} << 20, kMostInParts = int64_t{64} << 20;

bool has_parts(const OpContract& contract, const Problem& problem) {
  const auto blanks = make_blanks(contract, problem);
  return blanks.ok() && oracle::OracleInParts::of({&contract, &blanks->inputs, problem.attrs,
                                                   problem.symbols, problem.column},
                                                  kPartOfReference)
                            .ok();
}

}  // namespace

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

bool is_affordable(const OpContract& contract, const Problem& problem, bool in_parts) {
  const int64_t elements = reference_elements(contract, problem).value_or(kManyElements);
  if (elements <= kMostWhole) return true;
  return in_parts && elements <= kMostInParts && has_parts(contract, problem);
}

}  // namespace opkit::verify
