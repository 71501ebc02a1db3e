#include "opkit/verify/problem/least_elements.h"

#include <algorithm>

namespace opkit::verify {
namespace {

// REQUIRES: neither is negative.
int64_t times(int64_t a, int64_t b) {
  int64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? kManyElements : std::min(product, kManyElements);
}

bool certainly_there(const Port& port, const Scope& scope) {
  const auto found = scope.counts.find(port.name);
  return found == scope.counts.end() ? port.presence == Presence::kRequired : found->second.lo > 0;
}

// Returns the least that a part of a shape multiplies the elements with; 0: it may be anything.
int64_t least_of(const Expr& item, const Scope& scope) {
  if (item.is_per_tensor()) return 0;
  if (item.type() == Expr::Type::kList) {
    const auto list = item.evaluate_list(scope);
    if (!list.ok() || !list->known_length) return 0;
    int64_t product = 1;
    for (const Range& dim : list->items) product = times(product, std::max<int64_t>(dim.lo, 0));
    return product;
  }
  const auto dim = item.evaluate(scope);
  if (!dim.ok()) return 0;
  const int64_t least = std::clamp<int64_t>(dim->lo, 0, kManyElements);
  return item.is_collapsible() ? std::min<int64_t>(least, 1) : least;
}

int64_t least_of(const ShapeSpec& shape, const Scope& scope) {
  if (shape.opaque) return 0;
  int64_t product = 1;
  for (const Expr& item : shape.items) product = times(product, least_of(item, scope));
  return product;
}

}  // namespace

int64_t least_elements(const OpContract& contract, const Scope& scope) {
  int64_t total = 0;
  for (const auto* ports : {&contract.inputs, &contract.outputs}) {
    for (const Port& port : *ports) {
      if (port.presence == Presence::kDynamic || !certainly_there(port, scope)) continue;
      total = std::min(total + least_of(port.shape, scope), kManyElements);
    }
  }
  return total;
}

int64_t least_products(const OpContract& contract, const Scope& scope) {
  int64_t product = 1;
  for (const Symbol& symbol : contract.symbols) {
    const auto found = scope.numbers.find(symbol.name);
    if (found != scope.numbers.end())
      product = times(product, std::max<int64_t>(found->second.lo, 1));
  }
  return product;
}

}  // namespace opkit::verify
