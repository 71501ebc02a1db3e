#include "opkit/compile/candidate.h"

#include <array>

namespace opkit::compile {

std::string_view name_of(CostKind kind) {
  static constexpr std::array<std::string_view, 4> kNames = {"bound", "modelled", "estimated",
                                                             "not modelled"};
  return kNames[static_cast<size_t>(kind)];
}

std::string Candidate::name() const {
  if (taker == Taker::kPlugin) return op->contract().op;
  return taker == Taker::kView ? "view" : "host";
}

}  // namespace opkit::compile
