#include "opkit/call/tiling/tiling_fields.h"

#include <gmock/gmock.h>

#include <cstring>

namespace opkit {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr size_t kSize = sizeof(opk_tiling_field_v1);
constexpr opk_tiling_field_v1 kTotal{kSize, OPK_UINT32, "total", 0, 0, OPK_ANY_TILING_KEY};
constexpr opk_tiling_field_v1 kScale{kSize, OPK_FLOAT32, "scale", 4, 0, OPK_ANY_TILING_KEY};
constexpr opk_tiling_field_v1 kTails{kSize, OPK_INT16, "split.tails", 8, 3, OPK_ANY_TILING_KEY};
constexpr opk_tiling_field_v1 kOfSeven{kSize, OPK_INT64, "only", 0, 0, 7};

struct Data {
  uint32_t total = 1000;
  float scale = 0.25f;
  int16_t tails[3] = {1, -2, 3};
  int16_t rest = 0;
};

class TilingFields : public testing::Test {
 protected:
  TilingFields() {
    const Data data;
    plan_.data.resize(sizeof data);
    std::memcpy(plan_.data.data(), &data, sizeof data);
    op_.struct_size = sizeof op_;
    op_.tiling_fields = rows_;
    op_.tiling_field_count = 4;
  }

  const opk_tiling_field_v1* rows_[4] = {&kTotal, &kScale, &kTails, &kOfSeven};
  opk_op_v1 op_{};
  TilingPlan plan_;
};

TEST_F(TilingFields, AreToldByName) {
  EXPECT_EQ(tiling_data_text(op_, plan_), "total 1000, scale 0.25, split.tails {1, -2, 3}");
}

TEST_F(TilingFields, AKeyWithAClassHasThatClassAlone) {
  plan_.key = 7;
  const auto fields = tiling_fields(op_, plan_);
  ASSERT_EQ(fields.size(), 1u);
  EXPECT_EQ(fields[0].name, "only");
}

TEST_F(TilingFields, NarrowFloatsAreNumbers) {
  const opk_tiling_field_v1 half{kSize, OPK_FLOAT16, "half", 0, 0, OPK_ANY_TILING_KEY};
  const opk_tiling_field_v1 bfloat{kSize, OPK_BFLOAT16, "bfloat", 2, 0, OPK_ANY_TILING_KEY};
  rows_[0] = &half;
  rows_[1] = &bfloat;
  op_.tiling_field_count = 2;
  const uint16_t bits[] = {0x3e00, 0xc020};
  std::memcpy(plan_.data.data(), bits, sizeof bits);
  EXPECT_EQ(tiling_data_text(op_, plan_), "half 1.5, bfloat -2.5");
}

// What a plugin says of its data may be wrong.
TEST_F(TilingFields, StayInsideTheData) {
  plan_.data.resize(10);
  EXPECT_EQ(tiling_data_text(op_, plan_), "total 1000, scale 0.25, split.tails {1}");
  plan_.data.clear();
  EXPECT_EQ(tiling_data_text(op_, plan_), "");
}

TEST_F(TilingFields, WithoutNamesThereAreWords) {
  op_.tiling_field_count = 0;
  EXPECT_THAT(tiling_fields(op_, plan_), IsEmpty());
  EXPECT_EQ(tiling_data_text(op_, plan_), "words 1000, 1048576000, -131071, 3");
  op_.tiling_field_count = 4;
  op_.struct_size = offsetof(opk_op_v1, tiling_field_count);  // an older plugin
  EXPECT_THAT(tiling_fields(op_, plan_), IsEmpty());
}

TEST_F(TilingFields, WhatWasNeverSetIsRepeated) {
  plan_.log = {{0, "OPK-HOST-013", "field cap was never set (T)"}, {1, "", "words of the author"}};
  EXPECT_THAT(unset_fields(plan_), ElementsAre("field cap was never set (T)"));
}

}  // namespace
}  // namespace opkit
