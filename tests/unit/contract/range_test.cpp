#include "opkit/contract/range.h"

#include <gtest/gtest.h>

#include <functional>

namespace opkit {
namespace {

using Operation = std::function<std::optional<Range>(Range, Range)>;

struct Named {
  const char* name;
  Operation operation;
};

const std::vector<Named>& operations() {
  static const std::vector<Named> kOperations = {{"add", add},
                                                 {"subtract", subtract},
                                                 {"multiply", multiply},
                                                 {"floor_divide", floor_divide},
                                                 {"modulo", modulo},
                                                 {"ceil_divide", ceil_divide},
                                                 {"power", power},
                                                 {"smaller_of", smaller_of},
                                                 {"larger_of", larger_of},
                                                 {"less", less},
                                                 {"less_equal", less_equal},
                                                 {"equal", equal}};
  return kOperations;
}

// The interval of every pair of small intervals holds the result of every pair of their members.
TEST(Range, EveryOperationHoldsItsMembersResults) {
  constexpr int64_t kLimit = 4;
  for (const Named& named : operations()) {
    for (int64_t a_lo = -kLimit; a_lo <= kLimit; ++a_lo) {
      for (int64_t a_hi = a_lo; a_hi <= kLimit; ++a_hi) {
        for (int64_t b_lo = -kLimit; b_lo <= kLimit; ++b_lo) {
          for (int64_t b_hi = b_lo; b_hi <= kLimit; ++b_hi) {
            const auto whole = named.operation({a_lo, a_hi}, {b_lo, b_hi});
            for (int64_t a = a_lo; a <= a_hi; ++a) {
              for (int64_t b = b_lo; b <= b_hi; ++b) {
                const auto one = named.operation(Range::of(a), Range::of(b));
                if (!one) continue;
                ASSERT_TRUE(one->is_known()) << named.name << " " << a << " " << b;
                ASSERT_TRUE(whole.has_value()) << named.name;
                ASSERT_TRUE(whole->contains(one->lo))
                    << named.name << " [" << a_lo << "," << a_hi << "] [" << b_lo << "," << b_hi
                    << "] gives " << whole->to_string() << " without " << one->lo;
              }
            }
          }
        }
      }
    }
  }
}

TEST(Range, UnlimitedEndsHoldBigResults) {
  const Range any = Range::any_dim();
  EXPECT_EQ(*add(any, Range::of(5)), (Range{5, Range::kHighest}));
  EXPECT_EQ(*subtract(Range::of(5), any), (Range{Range::kLowest, 5}));
  EXPECT_EQ(*multiply(any, Range::of(2)), any);
  EXPECT_EQ(*floor_divide(any, Range::of(16)), any);
  EXPECT_EQ(*modulo(any, Range::of(16)), (Range{0, 15}));
  EXPECT_EQ(*power(any, Range::of(2)), any);
  EXPECT_EQ(*power(Range{1, 3}, any), (Range{1, Range::kHighest}));
}

TEST(Range, KnownOverflowHasNoResult) {
  const Range big = Range::of(int64_t{1} << 62);
  EXPECT_FALSE(add(big, big).has_value());
  EXPECT_FALSE(multiply(big, Range::of(-4)).has_value());
  EXPECT_FALSE(power(Range::of(3), Range::of(60)).has_value());
  EXPECT_FALSE(floor_divide(big, Range::of(0)).has_value());
  EXPECT_FALSE(modulo(big, Range::of(0)).has_value());
  EXPECT_FALSE(power(Range::of(2), Range::of(-1)).has_value());
}

TEST(Range, DivisionRoundsAsNamed) {
  EXPECT_EQ(*floor_divide(Range::of(-7), Range::of(2)), Range::of(-4));
  EXPECT_EQ(*ceil_divide(Range::of(-7), Range::of(2)), Range::of(-3));
  EXPECT_EQ(*ceil_divide(Range::of(7), Range::of(2)), Range::of(4));
  EXPECT_EQ(*modulo(Range::of(-7), Range::of(2)), Range::of(1));
  EXPECT_EQ(*modulo(Range::of(7), Range::of(-2)), Range::of(-1));
}

TEST(Range, Truth) {
  EXPECT_TRUE(less({1, 3}, {4, 9}).is_true());
  EXPECT_TRUE(less({4, 9}, {1, 4}).is_false());
  EXPECT_EQ(less({1, 4}, {4, 9}), Range::either());
  EXPECT_TRUE(both(Range::either(), Range::truth(false)).is_false());
  EXPECT_TRUE(one_of(Range::either(), Range::truth(true)).is_true());
  EXPECT_EQ(both(Range::either(), Range::truth(true)), Range::either());
  EXPECT_EQ(negate(Range::either()), Range::either());
}

TEST(Range, Prints) {
  EXPECT_EQ(Range::of(5).to_string(), "5");
  EXPECT_EQ((Range{1, 64}).to_string(), "1..64");
  EXPECT_EQ(Range::any_dim().to_string(), "0..");
  EXPECT_EQ((Range{Range::kLowest, 7}).to_string(), "..7");
  EXPECT_EQ(Range{}.to_string(), "?");
}

}  // namespace
}  // namespace opkit
