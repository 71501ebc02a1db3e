#include "opkit/verify/proof/sizes.h"

#include <algorithm>

namespace opkit::verify {
namespace {

constexpr int64_t kLargestSize = int64_t{1} << 31;

}  // namespace

Sizes::Sizes(const Domain& domain, const Problem& model, size_t symbol, Draws& draws)
    : domain_(domain), model_(model), symbol_(domain.contract().symbols[symbol]), draws_(draws) {
  if (symbol_.kind == Symbol::Kind::kPerTensor) return;
  int64_t largest = symbol_.bounds.hi;
  first_ = std::max<int64_t>(symbol_.bounds.lo, 1);
  if (symbol_.kind == Symbol::Kind::kDim) {
    first_ = std::max<int64_t>(domain.steps(symbol).first, 1);
    step_ = domain.steps(symbol).step;
    largest = domain.largest(symbol);
  }
  largest = std::min(largest, kLargestSize);
  if (largest >= first_) last_ = (largest - first_) / step_;
}

std::vector<int64_t> Sizes::spread() const {
  std::vector<int64_t> numbers;
  if (last_ < 0) return numbers;
  for (int64_t size = 1; size <= 2 * this->size(last_); size *= 2) {
    for (const int64_t near : {size, size + size / 2}) {
      const int64_t number = (near - first_) / step_;
      if (near >= first_ && number <= last_) numbers.push_back(number);
    }
  }
  numbers.push_back(0);
  numbers.push_back(last_);
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

std::optional<Problem> Sizes::at(int64_t number) const {
  Problem problem = model_;
  if (symbol_.kind == Symbol::Kind::kDim) {
    problem.symbols.dims[symbol_.name] = size(number);
  } else {
    problem.symbols.lists[symbol_.name] = {size(number)};
  }
  if (domain_.accepts(problem.symbols, problem.attrs)) return problem;
  Pin pin{symbol_.name, size(number), std::nullopt, false};
  if (symbol_.kind != Symbol::Kind::kDim) pin.rank = 1;
  SymbolValues start;
  start.absent = model_.symbols.absent;
  start.collapsed = model_.symbols.collapsed;
  const auto symbols = domain_.solve({pin}, start, problem.attrs, draws_);
  if (!symbols) return std::nullopt;
  problem.symbols = *symbols;
  return problem;
}

}  // namespace opkit::verify
