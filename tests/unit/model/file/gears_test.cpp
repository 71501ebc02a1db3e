#include "opkit/model/file/gears.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "geared_model.h"
#include "opkit/model/file/om_file.h"
#include "opkit/model/file/validate.h"

namespace opkit::model {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Gears, ShareWeightsAndPlugins) {
  const OfflineModel model = geared_model();
  ASSERT_TRUE(validate(model).ok()) << validate(model).error().to_string();
  EXPECT_EQ(model.plan_count(), 3u);
  // Each gear brings the same two numbers, and filled ones of its own length.
  EXPECT_EQ(model.weights.size(), 8u);
  EXPECT_EQ(model.weight_parts.size(), 4u);
  EXPECT_EQ(model.plugins.size(), 1u);
  for (size_t g = 0; g < 3; ++g) EXPECT_EQ(model.plan(g).tensors[1].offset, 0u);
  EXPECT_NE(model.plan(1).tensors[2].offset, model.plan(2).tensors[2].offset);
  EXPECT_EQ(gears_text(model), "1; 2; 4");
}

TEST(Gears, AreChosenByShapes) {
  const OfflineModel model = geared_model();
  EXPECT_EQ(gear_of(model, {Shape{2, 2}}).value(), 1u);
  EXPECT_EQ(largest_gear(model), 2u);
  EXPECT_THAT(open_dims(model, &Plan::inputs, 0), ElementsAre(-1, 2));
  const auto other = gear_of(model, {Shape{3, 2}});
  ASSERT_FALSE(other.ok());
  EXPECT_THAT(
      other.error().to_string(),
      HasSubstr("OPK-OM-007: no gear of the model takes inputs of [3, 2]; there are x[1, 2]; "
                "x[2, 2]; x[4, 2]"));
  EXPECT_FALSE(gear_of(model, {}).ok());
}

TEST(Gears, AreKeptInTheFile) {
  const OfflineModel model = geared_model();
  const auto back = decode(encode(model));
  ASSERT_TRUE(back.ok()) << back.error().to_string();
  EXPECT_EQ(encode(*back), encode(model));
  EXPECT_EQ(back->gear_kind, GearKind::kBatch);
  EXPECT_EQ(back->gears, model.gears);
  EXPECT_EQ(back->plan(2).steps.size(), 1u);
}

TEST(Gears, ThatDoNotFitAreRefused) {
  const auto wrong = [](auto change) {
    OfflineModel model = geared_model();
    change(model);
    const Status status = validate(model);
    return status.ok() ? std::string() : status.error().to_string();
  };
  EXPECT_THAT(wrong([](auto& m) { m.gear_kind = static_cast<GearKind>(9); }),
              HasSubstr("OPK-OM-004"));
  EXPECT_THAT(wrong([](auto& m) { m.gear_kind = GearKind::kNone; }), HasSubstr("3 gears"));
  EXPECT_THAT(wrong([](auto& m) { m.more.pop_back(); }), HasSubstr("3 gears and 2 plans"));
  EXPECT_THAT(wrong([](auto& m) { m.gears.clear(), m.gear_kind = GearKind::kNone; }),
              HasSubstr("0 gears and 3 plans"));
  EXPECT_THAT(wrong([](auto& m) { m.gears[1] = {2, 2}; }), HasSubstr("gear 1 has 2 values"));
  EXPECT_THAT(wrong([](auto& m) { m.gears[2] = m.gears[1]; }), HasSubstr("gears 1 and 2"));
  EXPECT_THAT(wrong([](auto& m) { m.more[1] = m.more[0]; }), HasSubstr("gears 1 and 2"));
  EXPECT_THAT(wrong([](auto& m) { m.more[0].tensors[0].desc.name = "z"; }),
              HasSubstr("other inputs or outputs"));
  EXPECT_THAT(wrong([](auto& m) { m.more[0].steps[0].in = {{99}}; }), HasSubstr("nothing wrote"));
  EXPECT_THAT(wrong([](auto& m) { m.more[1].block_bytes = uint64_t{1} << 60; }),
              HasSubstr("any chip's"));
}

}  // namespace
}  // namespace opkit::model
