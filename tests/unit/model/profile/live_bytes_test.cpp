#include "opkit/model/profile/live_bytes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "measured_frame.h"
#include "opkit/model/profile/timeline_trace.h"

namespace opkit::model_profile {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

model::ModelTensor in_block(uint64_t offset, uint64_t bytes) {
  model::ModelTensor tensor;
  tensor.offset = offset;
  tensor.bytes = bytes;
  return tensor;
}

model::Step step(std::vector<uint32_t> in, std::vector<uint32_t> out, uint64_t workspace = 0) {
  model::Step one;
  one.in = {std::move(in)};
  one.out = {std::move(out)};
  one.workspace = 4096;
  one.workspace_bytes = workspace;
  return one;
}

TEST(LiveBytes, CountsWhatEachStepFinds) {
  model::Plan plan;
  // Number 1 is a view of 0, number 3 lies where both lay, number 4 is an output of the caller's.
  plan.tensors = {in_block(0, 100), in_block(20, 50), in_block(512, 30), in_block(0, 60),
                  in_block(0, 1000)};
  plan.tensors[4].place = model::Place::kOutput;
  plan.steps = {step({}, {0}), step({}, {2}), step({1, 2}, {3}, 7), step({3}, {4})};
  EXPECT_THAT(live_bytes(plan), ElementsAre(100, 80, 107, 60));
  EXPECT_TRUE(live_bytes(model::Plan()).empty());
}

TEST(LiveBytes, AreACurveOfTheTrace) {
  const ModelProfile profile = frame({});
  for (const Piece& piece : profile.pieces) EXPECT_LE(piece.memory, profile.peak_bytes);
  const std::string text = timeline_trace(profile);
  EXPECT_THAT(text, HasSubstr("\"device memory\""));
  EXPECT_THAT(text, HasSubstr("\"ph\": \"C\""));
}

}  // namespace
}  // namespace opkit::model_profile
