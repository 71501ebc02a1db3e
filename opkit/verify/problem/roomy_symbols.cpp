#include "opkit/verify/problem/roomy_symbols.h"

namespace opkit::verify {

std::optional<SymbolValues> roomy_symbols(const Domain& domain, const AttrValues& attrs,
                                          Draws& draws) {
  constexpr int kTries = 6;
  constexpr int64_t kEnough = 512;  // elements of a call
  std::optional<SymbolValues> best;
  int64_t most = -1;
  for (int tries = 0; tries < kTries && most < kEnough; ++tries) {
    auto symbols = domain.solve({}, {}, attrs, draws);
    const int64_t elements = symbols ? domain.elements(*symbols, attrs).value_or(0) : -1;
    if (elements <= most) continue;
    most = elements;
    best = std::move(symbols);
  }
  return best;
}

}  // namespace opkit::verify
