#include "opkit/verify/proof/proof_shapes.h"

#include <fmt/format.h>

#include <algorithm>

#include "opkit/verify/problem/core_corners.h"

namespace opkit::verify {
namespace {

// Elements of all tensors of one call: what is tried first, and the most.
constexpr int64_t kNarrowLarge = int64_t{1} << 25, kMostLarge = int64_t{1} << 36;
constexpr int64_t kNarrowCorner = int64_t{1} << 20, kMostCorner = int64_t{1} << 31;

// Around the limits of 31, 24 and 28 bits, and primes; the most telling first: beyond 2^31 elements
// and 4 GiB.
constexpr int64_t kLargeSizes[] = {2147483647,
                                   (int64_t{1} << 31) + 1,
                                   (int64_t{1} << 24) + 1,
                                   (int64_t{1} << 28) - 1,
                                   536870909,
                                   (int64_t{1} << 30) + 1,
                                   16777213,
                                   (int64_t{1} << 22) + 1};
constexpr int64_t kLeastLarge = int64_t{1} << 22;

}  // namespace

ProofShapes::ProofShapes(const OpContract& contract, Draws& draws)
    : contract_(contract), draws_(draws) {
  for (const int64_t budget : {kNarrowLarge, kMostLarge}) for_large_.emplace_back(contract, budget);
  for (const int64_t budget : {kNarrowCorner, kMostCorner})
    for_corners_.emplace_back(contract, budget);
}

std::vector<LargeProblem> ProofShapes::large(const std::vector<Problem>& models) {
  std::vector<LargeProblem> problems;
  const auto take = [&](const Symbol& symbol, int64_t size) {
    for (const Problem& model : models) {
      if (size < kLeastLarge) continue;
      if (auto one = pinned(for_large_, model, symbol, size, "large"))
        problems.push_back({std::move(*one), &symbol, size});
    }
  };
  for (const int64_t size : kLargeSizes) {
    for (const Symbol& symbol : contract_.symbols) take(symbol, size);
  }
  for (const Symbol& symbol : contract_.symbols) take(symbol, symbol.bounds.hi);
  return problems;
}

std::vector<int64_t> ProofShapes::corner_sizes(const std::string& soc, size_t column) const {
  return core_corners(soc, line_of(column));
}

std::optional<PlannedProblem> ProofShapes::corner(const Problem& model, const Symbol& symbol,
                                                  int64_t size) {
  return pinned(for_corners_, model, symbol, size, "above a multiple of the cores");
}

std::optional<PlannedProblem> ProofShapes::upper_end(const Problem& model, const Symbol& symbol) {
  if (symbol.kind != Symbol::Kind::kDim) return std::nullopt;
  const auto place = static_cast<size_t>(&symbol - contract_.symbols.data());
  const int64_t size = for_corners_.front().largest(place);
  if (size < 1 || size >= kLeastLarge) return std::nullopt;
  return pinned(for_corners_, model, symbol, size, "largest");
}

// Returns the symbol with this size, the others as the constraints and the first budget leave them
// that has room for it: what they add to a launch tells nothing of the symbol.
std::optional<PlannedProblem> ProofShapes::pinned(const std::vector<Domain>& domains,
                                                  const Problem& model, const Symbol& symbol,
                                                  int64_t size, const char* what) {
  if (!symbol.bounds.contains(size)) return std::nullopt;
  Pin pin{symbol.name, size, std::nullopt, false};
  if (symbol.kind != Symbol::Kind::kDim) pin.rank = 1;
  std::optional<SymbolValues> symbols;
  for (const Domain& domain : domains) {
    if (!symbols && domain.budget() >= size) symbols = domain.solve({pin}, {}, model.attrs, draws_);
  }
  if (!symbols) return std::nullopt;
  PlannedProblem one{model, fmt::format("{} {}={}", what, symbol.name, size)};
  one.problem.symbols = *symbols;
  return one;
}

// 512 bytes of the column's narrowest type: a share of whole such lines is one of all shorter
// ones, too.
int64_t ProofShapes::line_of(size_t column) const {
  constexpr int64_t kLineBits = 512 * 8;
  int64_t most = 1;
  for (const Port& port : contract_.inputs)
    most = std::max<int64_t>(most, kLineBits / std::max(bits_of(port.dtypes[column]), 8));
  return most;
}

}  // namespace opkit::verify
