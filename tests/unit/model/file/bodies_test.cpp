// Bodies in offline models: the file, and what is refused.
#include "opkit/model/file/bodies.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "looped_model.h"
#include "opkit/graph/bodies.h"
#include "opkit/model/file/gears.h"
#include "opkit/model/file/om_file.h"
#include "opkit/model/file/validate.h"

namespace opkit::model {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(ModelBodies, ComeBackFromTheFile) {
  const OfflineModel model = looped();
  const std::string bytes = encode(model);
  const auto back = decode(bytes);
  ASSERT_TRUE(back.ok()) << back.error().to_string();
  ASSERT_EQ(back->bodies.size(), 1u);
  EXPECT_EQ(back->bodies[0].steps[1].node.op_type, "Neg");
  EXPECT_EQ(back->bodies[0].inside, kNoBody);
  EXPECT_EQ(encode(*back), bytes);
  const StepBodies bodies(*back);
  EXPECT_THAT(bodies.of(0, kNoBody, 0), ElementsAre(0));
  EXPECT_TRUE(bodies.of(0, 0, 0).empty());
}

TEST(ModelBodies, AreJoinedWithGears) {
  GearJoin join(GearKind::kBatch);
  join.add({1}, small_model());
  OfflineModel one = looped();
  one.tensors[2].place = Place::kWeight;
  one.weights = std::string(16, 'w');
  one.weight_parts = {{0, 16, 0, false, ""}};
  one.weight_bytes = 512;
  one.tensors[2].offset = 0;
  one.inputs = {0, 1};
  join.add({2}, one);
  const OfflineModel both = join.take();
  ASSERT_EQ(both.bodies.size(), 1u);
  EXPECT_EQ(both.bodies[0].gear, 1u);
  EXPECT_EQ(both.plan(1).tensors[2].offset, 512u) << "behind the first gear's weights";
}

// Returns what is wrong with the model after the change; empty: nothing.
template <typename Change>
std::string wrong(Change change) {
  OfflineModel model = looped();
  change(model);
  const Status status = validate(model);
  return status.ok() ? std::string() : status.error().to_string();
}

TEST(ModelBodies, ThatLieNowhereAreRefused) {
  EXPECT_EQ(wrong([](OfflineModel&) {}), "");
  EXPECT_THAT(wrong([](auto& m) { m.bodies[0].gear = 1; }), HasSubstr("body 0 lies nowhere"));
  EXPECT_THAT(wrong([](auto& m) { m.bodies[0].inside = 0; }), HasSubstr("body 0 lies nowhere"));
  EXPECT_THAT(wrong([](auto& m) { m.bodies[0].step = 1; }), HasSubstr("no step runs body 0"));
  EXPECT_THAT(wrong([](auto& m) { m.bodies.clear(); }), HasSubstr("of Loop runs 0 bodies"));
  EXPECT_THAT(wrong([](auto& m) { m.bodies.push_back(m.bodies[0]); }),
              HasSubstr("of Loop runs 2 bodies"));
}

TEST(ModelBodies, ThatDoNotFitTheirStepAreRefused) {
  EXPECT_THAT(wrong([](auto& m) { m.steps[0].node.op_type = "Add"; }), HasSubstr("runs 1 bodies"));
  EXPECT_THAT(wrong([](auto& m) { m.steps[0].node.attributes.clear(); }),
              HasSubstr("other inputs and outputs than it has"));
  EXPECT_THAT(wrong([](auto& m) { m.steps[0].node.attributes[graph::kCaptured] = int64_t{3}; }),
              HasSubstr("other inputs and outputs than it has"));
  EXPECT_THAT(wrong([](auto& m) { m.tensors[0].desc.dtype = DType::kUInt64; }),
              HasSubstr("another condition 0"));
  EXPECT_THAT(wrong([](auto& m) {
                m.tensors[4] = typed("all", DType::kFloat32, {3, 5}, Place::kOutput, 1);
              }),
              HasSubstr("another stacked result 0"));
  EXPECT_THAT(wrong([](auto& m) {
                m.bodies[0].tensors[1] = typed("v", DType::kFloat32, {2, 2}, Place::kInput, 1);
              }),
              HasSubstr("another carried value 0"));
  EXPECT_THAT(wrong([](auto& m) { m.bodies[0].steps[1].in = {{9}}; }),
              HasSubstr("step 'neg' reads a tensor that nothing wrote"));
  EXPECT_THAT(wrong([](auto& m) {
                m.steps[0].kind = StepKind::kAicpu;
                m.plugins.resize(1);
              }),
              HasSubstr("no step runs body 0"));
  EXPECT_THAT(wrong([](auto& m) {
                m.bodies.clear();
                m.steps[0].kind = StepKind::kHost;
              }),
              HasSubstr("step 'loop' runs Loop without bodies"));
}

TEST(ModelBodies, AreNotTooDeep) {
  OfflineModel model = looped();
  // Each body runs the next one in the place of its first step.
  for (uint32_t b = 1; b <= kMostNested; ++b) {
    Body inner = model.bodies[0];
    inner.inside = b - 1;
    model.bodies[b - 1].steps[0].kind = StepKind::kControl;
    model.bodies.push_back(inner);
  }
  EXPECT_THAT(validate(model).error().to_string(), HasSubstr("9 bodies lie inside each other"));
}

}  // namespace
}  // namespace opkit::model
