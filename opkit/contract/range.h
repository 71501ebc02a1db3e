// Range: the integers from lo to hi, the value of everything that is not exactly known. A known
// value is a range of one; a truth value is a range within [0, 1]. The arithmetic is that of
// intervals: every result that the operands allow is inside, and an unlimited end stays unlimited.
#ifndef OPKIT_CONTRACT_RANGE_H_
#define OPKIT_CONTRACT_RANGE_H_

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

namespace opkit {

struct Range {
  static constexpr int64_t kLowest = std::numeric_limits<int64_t>::min();   // no lower limit
  static constexpr int64_t kHighest = std::numeric_limits<int64_t>::max();  // no upper limit

  int64_t lo = kLowest;
  int64_t hi = kHighest;

  static Range of(int64_t value) { return {value, value}; }
  static Range truth(bool value) { return of(value ? 1 : 0); }
  static Range either() { return {0, 1}; }  // a truth value that is not known
  static Range any_dim() { return {0, kHighest}; }

  bool is_known() const { return lo == hi; }
  bool is_true() const { return lo > 0; }  // certainly not 0
  bool is_false() const { return lo == 0 && hi == 0; }
  bool is_empty() const { return lo > hi; }
  bool contains(int64_t value) const { return lo <= value && value <= hi; }
  // Returns the values that both hold; may be empty.
  Range meet(Range other) const;
  // Returns the smallest range that holds both.
  Range join(Range other) const;
  // "5", "1..64", "0..", "..7", "?".
  std::string to_string() const;

  bool operator==(const Range&) const = default;
};

// Each is nullopt when known operands overflow 64 bits, divide by zero or have a negative exponent.
std::optional<Range> add(Range a, Range b);
std::optional<Range> subtract(Range a, Range b);
std::optional<Range> multiply(Range a, Range b);
std::optional<Range> floor_divide(Range a, Range b);
std::optional<Range> ceil_divide(Range a, Range b);
// Returns the remainder of floor_divide: it has the sign of b.
std::optional<Range> modulo(Range a, Range b);
std::optional<Range> power(Range a, Range b);
Range smaller_of(Range a, Range b);
Range larger_of(Range a, Range b);

Range less(Range a, Range b);
Range less_equal(Range a, Range b);
Range equal(Range a, Range b);
Range both(Range a, Range b);
Range one_of(Range a, Range b);
Range negate(Range a);

}  // namespace opkit

#endif  // OPKIT_CONTRACT_RANGE_H_
