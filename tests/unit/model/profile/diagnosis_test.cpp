#include "opkit/model/profile/diagnosis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "measured_frame.h"

namespace opkit::model_profile {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Symptom of(const std::vector<Symptom>& all, const std::string& id) {
  for (const Symptom& one : all)
    if (one.id == id) return one;
  ADD_FAILURE() << "no pattern " << id;
  return {};
}

void expect(const ModelProfile& profile, const std::string& id, Judged judged, double share) {
  const Symptom pattern = of(diagnose(profile), id);
  EXPECT_EQ(pattern.judged, judged) << id;
  EXPECT_NEAR(pattern.share, share, 1e-3) << id;
  EXPECT_EQ(pattern.advice.empty(), judged != Judged::kFound) << id;
}

TEST(Diagnosis, JudgesSixPatternsEachTime) {
  std::vector<std::string> ids;
  for (const Symptom& one : diagnose(frame({}))) ids.push_back(one.id);
  EXPECT_THAT(ids, ElementsAre("gaps", "memory_bound", "h2d", "post", "int8", "single_stream"));
}

TEST(Diagnosis, GapsAboveATenth) {
  expect(frame({.launch = 100, .busy = 900}), "gaps", Judged::kClear, 0.1);
  expect(frame({.launch = 110, .busy = 900}), "gaps", Judged::kFound, 110.0 / 1010);
  EXPECT_THAT(of(diagnose(frame({.launch = 300})), "gaps").advice, HasSubstr("merge small ops"));
  EXPECT_THAT(of(diagnose(frame({.launch = 100, .between = 900})), "gaps").advice,
              HasSubstr("formats agree"));
  model::OfflineModel model = frame_model();
  model.steps[1] = model.steps[3];  // LeakyRelu between the kernels
  EXPECT_THAT(of(diagnose(frame({.launch = 100, .between = 900}, model)), "gaps").advice,
              HasSubstr("install an op for LeakyRelu"));
}

TEST(Diagnosis, MemoryBoundAboveHalfOfTheKernels) {
  expect(frame({}), "memory_bound", Judged::kClear, 0);
  expect(frame({.memory_bound = true}), "memory_bound", Judged::kFound, 1);
  EXPECT_THAT(of(diagnose(frame({.memory_bound = true})), "memory_bound").advice,
              HasSubstr("AddRelu first"));
}

// Inputs and outputs have 48 bytes, kernels take 2000 ns.
TEST(Diagnosis, CopiesInAboveAFifth) {
  expect(frame({.link = 0.1}), "h2d", Judged::kClear, 480.0 / 2960);
  expect(frame({.link = 0.06}), "h2d", Judged::kFound, 800.0 / 3600);
}

TEST(Diagnosis, WorkOnResultsAboveAQuarter) {
  expect(frame({.behind = 600}), "post", Judged::kClear, 601.0 / 2602);
  expect(frame({.behind = 700}), "post", Judged::kFound, 701.0 / 2702);
}

TEST(Diagnosis, OverlapThatWouldSaveATenth) {
  expect(frame({.behind = 200}), "single_stream", Judged::kClear, 1 - 2000.0 / 2202);
  expect(frame({.behind = 300}), "single_stream", Judged::kFound, 1 - 2000.0 / 2302);
}

TEST(Diagnosis, Int8BesideTheOtherModel) {
  EXPECT_EQ(of(diagnose(frame({}), 9000), "int8").judged, Judged::kNotJudged);
  model::OfflineModel model = frame_model();
  model.tensors[0].desc.dtype = DType::kInt8;
  ModelProfile profile = frame({}, model);
  ASSERT_EQ(profile.parts.total(), 2002u);
  const Symptom mixed = of(diagnose(profile, 2100), "int8");
  EXPECT_EQ(mixed.judged, Judged::kNotJudged);
  EXPECT_THAT(mixed.why, HasSubstr("on the host"));
  std::erase_if(profile.pieces, [](const Piece& piece) { return piece.row == TimelineRow::kHost; });
  const Symptom alone = of(diagnose(profile), "int8");
  EXPECT_EQ(alone.judged, Judged::kNotJudged);
  EXPECT_THAT(alone.why, HasSubstr("--against"));
  const Symptom lost = of(diagnose(profile, 2100), "int8");
  EXPECT_EQ(lost.judged, Judged::kFound);
  EXPECT_NEAR(lost.share, 1 - 2002.0 / 2100, 1e-9);
  EXPECT_THAT(lost.advice, HasSubstr("calibrate"));
  EXPECT_EQ(of(diagnose(profile, 3000), "int8").judged, Judged::kClear);
}

}  // namespace
}  // namespace opkit::model_profile
