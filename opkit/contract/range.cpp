#include "opkit/contract/range.h"

#include <algorithm>
#include <initializer_list>

namespace opkit {
namespace {

__extension__ using Wide = __int128;

bool unlimited(int64_t end) { return end == Range::kLowest || end == Range::kHighest; }

int64_t clamp(Wide value) {
  if (value >= Range::kHighest) return Range::kHighest;
  if (value <= Range::kLowest) return Range::kLowest;
  return static_cast<int64_t>(value);
}

int64_t limit_of_sign(bool negative) { return negative ? Range::kLowest : Range::kHighest; }

int64_t add_ends(int64_t a, int64_t b) {
  if (unlimited(a)) return a;
  if (unlimited(b)) return b;
  return clamp(Wide(a) + b);
}

int64_t opposite(int64_t a) {
  if (unlimited(a)) return a == Range::kLowest ? Range::kHighest : Range::kLowest;
  return -a;
}

int64_t multiply_ends(int64_t a, int64_t b) {
  if (a == 0 || b == 0) return 0;
  if (unlimited(a) || unlimited(b)) return limit_of_sign((a < 0) != (b < 0));
  return clamp(Wide(a) * b);
}

int64_t floor_of(int64_t a, int64_t b) {
  const int64_t quotient = a / b;
  return quotient - ((a % b != 0 && (a % b < 0) != (b < 0)) ? 1 : 0);
}

// REQUIRES: b is not 0.
int64_t divide_ends(int64_t a, int64_t b) {
  if (unlimited(b)) return a == 0 || (a < 0) == (b < 0) ? 0 : -1;
  if (unlimited(a)) return limit_of_sign((a < 0) != (b < 0));
  return floor_of(a, b);
}

Range hull(std::initializer_list<int64_t> ends) { return {std::min(ends), std::max(ends)}; }

// The result, unless both operands are known and the result left 64 bits.
std::optional<Range> unless_overflow(Range a, Range b, Range result) {
  const bool known = a.is_known() && b.is_known() && !unlimited(a.lo) && !unlimited(b.lo);
  if (known && unlimited(result.lo)) return std::nullopt;
  return result;
}

int64_t power_ends(int64_t base, int64_t exponent) {
  if (exponent == 0 || base == 1) return 1;
  if (base == 0) return 0;
  if (unlimited(base) || exponent >= 64) return limit_of_sign(base < 0 && exponent % 2 == 1);
  int64_t result = 1;
  for (int64_t i = 0; i < exponent; ++i) result = multiply_ends(result, base);
  return result;
}

std::optional<Range> power_known(int64_t base, int64_t exponent) {
  if (exponent < 0) return std::nullopt;
  if (base == -1) return Range::of(exponent % 2 == 0 ? 1 : -1);
  const int64_t result = power_ends(base, exponent);
  if (unlimited(result)) return std::nullopt;
  return Range::of(result);
}

}  // namespace

Range Range::meet(Range other) const { return {std::max(lo, other.lo), std::min(hi, other.hi)}; }
Range Range::join(Range other) const { return {std::min(lo, other.lo), std::max(hi, other.hi)}; }

std::string Range::to_string() const {
  if (lo == kLowest && hi == kHighest) return "?";
  if (lo == hi) return std::to_string(lo);
  const std::string low = lo == kLowest ? "" : std::to_string(lo);
  return low + ".." + (hi == kHighest ? "" : std::to_string(hi));
}

std::optional<Range> add(Range a, Range b) {
  return unless_overflow(a, b, {add_ends(a.lo, b.lo), add_ends(a.hi, b.hi)});
}

std::optional<Range> subtract(Range a, Range b) {
  return unless_overflow(a, b, {add_ends(a.lo, opposite(b.hi)), add_ends(a.hi, opposite(b.lo))});
}

std::optional<Range> multiply(Range a, Range b) {
  return unless_overflow(a, b,
                         hull({multiply_ends(a.lo, b.lo), multiply_ends(a.lo, b.hi),
                               multiply_ends(a.hi, b.lo), multiply_ends(a.hi, b.hi)}));
}

std::optional<Range> floor_divide(Range a, Range b) {
  if (b == Range::of(0)) return std::nullopt;
  if (b.lo == 0) b.lo = 1;
  if (b.hi == 0) b.hi = -1;
  if (b.lo < 0 && b.hi > 0) {  // both signs of the divisor
    const auto below = floor_divide(a, {b.lo, -1});
    const auto above = floor_divide(a, {1, b.hi});
    return below->join(*above);
  }
  return unless_overflow(a, b,
                         hull({divide_ends(a.lo, b.lo), divide_ends(a.lo, b.hi),
                               divide_ends(a.hi, b.lo), divide_ends(a.hi, b.hi)}));
}

std::optional<Range> ceil_divide(Range a, Range b) {
  const auto quotient = floor_divide({opposite(a.hi), opposite(a.lo)}, b);
  if (!quotient) return std::nullopt;
  return Range{opposite(quotient->hi), opposite(quotient->lo)};
}

std::optional<Range> modulo(Range a, Range b) {
  if (b == Range::of(0)) return std::nullopt;
  if (b.lo == 0) b.lo = 1;
  if (b.lo < 0) {
    if (a.is_known() && b.is_known() && a.lo != Range::kLowest)
      return Range::of(a.lo - b.lo * floor_of(a.lo, b.lo));
    return Range{std::min<int64_t>(add_ends(b.lo, 1), 0), std::max<int64_t>(add_ends(b.hi, -1), 0)};
  }
  if (a.lo >= 0 && a.hi < b.lo) return a;
  if (b.is_known() && !unlimited(a.lo) && !unlimited(a.hi)) {
    const int64_t quotient = floor_of(a.lo, b.lo);
    if (quotient == floor_of(a.hi, b.lo))
      return Range{a.lo - quotient * b.lo, a.hi - quotient * b.lo};
  }
  return Range{0, add_ends(b.hi, -1)};
}

std::optional<Range> power(Range a, Range b) {
  if (a.is_known() && b.is_known()) return power_known(a.lo, b.lo);
  if (b.hi < 0) return std::nullopt;
  if (a.lo < 0) return Range{};
  const int64_t least = std::max<int64_t>(b.lo, 0);
  const int64_t lowest = a.lo == 0 && b.hi > 0 ? 0 : power_ends(a.lo, least);
  return Range{lowest, std::max<int64_t>(power_ends(a.hi, b.hi), least == 0 ? 1 : 0)};
}

Range smaller_of(Range a, Range b) { return {std::min(a.lo, b.lo), std::min(a.hi, b.hi)}; }
Range larger_of(Range a, Range b) { return {std::max(a.lo, b.lo), std::max(a.hi, b.hi)}; }

Range less(Range a, Range b) {
  if (a.hi < b.lo) return Range::truth(true);
  return a.lo >= b.hi ? Range::truth(false) : Range::either();
}

Range less_equal(Range a, Range b) {
  if (a.hi <= b.lo) return Range::truth(true);
  return a.lo > b.hi ? Range::truth(false) : Range::either();
}

Range equal(Range a, Range b) {
  if (a.is_known() && a == b) return Range::truth(true);
  return a.meet(b).is_empty() ? Range::truth(false) : Range::either();
}

Range both(Range a, Range b) {
  if (a.is_false() || b.is_false()) return Range::truth(false);
  return a.is_true() && b.is_true() ? Range::truth(true) : Range::either();
}

Range one_of(Range a, Range b) { return negate(both(negate(a), negate(b))); }

Range negate(Range a) {
  if (a.is_true()) return Range::truth(false);
  return a.is_false() ? Range::truth(true) : Range::either();
}

}  // namespace opkit
