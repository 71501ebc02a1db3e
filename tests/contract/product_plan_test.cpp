// The choice of shares and base blocks of products (ops/shared/op_host/product_plan.h).
#include "ops/shared/op_host/product_plan.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace product {
namespace {

Memories ascend910b1() {
  Memories on;
  on.cores = 24;
  on.l1 = 512 << 10;
  on.l0a = on.l0b = 64 << 10;
  on.l0c = 128 << 10;
  return on;
}

Cut cut_of(const Sizes& sizes) { return Cutter(sizes, ascend910b1()).Best(); }

RC_GTEST_PROP(ProductPlan, BlocksFitEveryMemory, ()) {
  Sizes sizes;
  sizes.m = *rc::gen::inRange<int64_t>(1, 5000);
  sizes.n = *rc::gen::inRange<int64_t>(1, 5000);
  sizes.k = *rc::gen::inRange<int64_t>(1, 9000);
  sizes.batches = *rc::gen::inRange<int64_t>(1, 100);
  sizes.bytes = *rc::gen::element<int64_t>(1, 2, 4);
  sizes.a_turned = *rc::gen::arbitrary<bool>();
  sizes.b_in_rows = *rc::gen::arbitrary<bool>();
  sizes.finishes = *rc::gen::arbitrary<bool>();
  const Memories on = ascend910b1();
  const Cut cut = cut_of(sizes);
  RC_ASSERT(cut.m > 0 && cut.m <= sizes.m && cut.n > 0 && cut.n <= sizes.n);
  RC_ASSERT(cut.base_m % 16 == 0 && cut.base_n % 16 == 0);
  RC_ASSERT(cut.base_m <= sizes.most_m && cut.base_n <= sizes.most_n);
  RC_ASSERT(cut.base_m * cut.base_n * 4 <= on.l0c);
  RC_ASSERT(2 * cut.base_m * cut.base_k * sizes.bytes <= on.l0a);
  RC_ASSERT(2 * cut.base_n * cut.base_k * sizes.bytes <= on.l0b);
  RC_ASSERT(cut.base_k * sizes.bytes % 32 == 0);
  const int64_t in_l1 =
      (cut.depth_a * cut.base_m + cut.depth_b * cut.base_n) * cut.base_k * sizes.bytes;
  RC_ASSERT(in_l1 <= on.l1);
  RC_ASSERT(cut.depth_a % cut.step_a == 0 && cut.depth_b % cut.step_b == 0);
  RC_ASSERT(cut.step_a % cut.step_b == 0 || cut.step_b % cut.step_a == 0);
}

TEST(ProductPlan, SharesOfAManyRowedProductAreSquareAndOnEveryCore) {
  Sizes sizes;
  sizes.m = sizes.n = sizes.k = 8192;
  const Cut cut = cut_of(sizes);
  EXPECT_EQ(SharesOf(sizes.m, sizes.n, cut) % 24, 0);
  EXPECT_GE(cut.base_m * cut.base_n, 128 * 208);
}

// A share of 16 rows and many columns would have as many products, and read b on every core.
TEST(ProductPlan, FewRowsAreNotCut) {
  Sizes sizes;
  sizes.m = 128;
  sizes.n = sizes.k = 4096;
  const Cut cut = cut_of(sizes);
  EXPECT_EQ(cut.m, 128);
  EXPECT_LE(cut.n, 192);
}

TEST(ProductPlan, RowsThatStayInL1AreReadOnce) {
  Sizes sizes;
  sizes.m = 128;
  sizes.n = 30720;
  sizes.k = 1024;
  const Cut cut = cut_of(sizes);
  EXPECT_GE(cut.depth_a * cut.base_k, sizes.k);
}

TEST(ProductPlan, NoBlockFitsIntoNothing) { EXPECT_EQ(Cutter(Sizes(), Memories()).Best().m, 0); }

}  // namespace
}  // namespace product
