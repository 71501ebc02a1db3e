#include "opkit/isolation/accept_answer.h"

#include <gmock/gmock.h>

#include <limits>

#include "opkit/isolation/question_fields.h"
#include "opkit/isolation/request_fields.h"

namespace opkit::isolation {
namespace {

using testing::HasSubstr;

QuestionAsked through_the_wire(const QuestionAsked& asked) {
  const std::string bytes = wire::written(asked);
  wire::Reader reader(bytes);
  QuestionAsked read;
  reader(read);
  EXPECT_TRUE(reader.done()) << reader.why();
  return read;
}

TEST(AcceptAnswer, QuestionsArriveAsTheyWereAsked) {
  QuestionAsked asked;
  asked.on = {.plan = 7, .threads = 2, .room = 64, .schedule_seed = 9};
  asked.question = CoverQuestion{CoverKind::kRoomy, core::DryAnswer::kOnes};
  const QuestionAsked cover = through_the_wire(asked);
  EXPECT_EQ(cover.on.room, 64u);
  EXPECT_EQ(cover.on.schedule_seed, 9u);
  EXPECT_FALSE(cover.at.has_value());
  EXPECT_EQ(std::get<CoverQuestion>(cover.question).kind, CoverKind::kRoomy);
  EXPECT_EQ(std::get<CoverQuestion>(cover.question).computed, core::DryAnswer::kOnes);

  asked.at.emplace();
  asked.question = WritersQuestion{1, 2, -3};
  const QuestionAsked writers = through_the_wire(asked);
  EXPECT_TRUE(writers.at.has_value());
  EXPECT_EQ(std::get<WritersQuestion>(writers.question).element, -3);

  asked.question = InPlaceQuestion{{.output = 4, .input = 5}};
  EXPECT_EQ(std::get<InPlaceQuestion>(through_the_wire(asked).question).pair.input, 5u);
  asked.question = CostQuestion{{.most_instructions = 11, .of_unmeasured_chips = true}};
  EXPECT_EQ(std::get<CostQuestion>(through_the_wire(asked).question).options.most_instructions,
            11u);
}

TEST(AcceptAnswer, AnAnswerToAnotherQuestionIsRefused) {
  wire::Names names;
  const std::string yes = wire::written(QuestionAnswer(true));
  const auto right = read_answer(yes, InPlaceQuestion{}, names);
  ASSERT_TRUE(right.ok()) << right.error().to_string();
  EXPECT_TRUE(std::get<bool>(*right));

  const auto other = read_answer(yes, CostQuestion{}, names);
  ASSERT_FALSE(other.ok());
  EXPECT_EQ(other.error().code, "OPK-WORKER-006");
  EXPECT_THAT(other.error().message, HasSubstr("asked what a plan costs and answered otherwise"));
  EXPECT_THAT(other.error().action, HasSubstr("damaged its worker"));

  const auto cut = read_answer(yes.substr(0, 1), InPlaceQuestion{}, names);
  ASSERT_FALSE(cut.ok());
  EXPECT_EQ(cut.error().code, "OPK-WORKER-006");
}

CallPlan plan_of_a_chip() {
  CallPlan plan;
  plan.soc = find_soc("Ascend910B1").value().spec;
  return plan;
}

TEST(AcceptAnswer, CoversOfOtherOutputsAreRefused) {
  const CallPlan plan = plan_of_a_chip();
  QuestionAnswer fits = CoverLaunch{};
  EXPECT_TRUE(accept_answer(fits, plan).ok());
  CoverLaunch larger;
  larger.outputs.resize(1);
  QuestionAnswer answer = larger;
  const Status refused = accept_answer(answer, plan);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, "OPK-WORKER-006");
  EXPECT_THAT(refused.error().message, HasSubstr("which bytes were written is of another call"));
}

// Returns what the worker says of the one output, of 16 floats.
Status cover_of_one(const core::CoverOfRange& range) {
  CallPlan plan = plan_of_a_chip();
  plan.output_layouts = {{StorageLayout::of(Format::kND, DType::kFloat32, Shape({16})).value()}};
  CoverLaunch seen;
  seen.outputs = {{range}};
  QuestionAnswer answer = seen;
  return accept_answer(answer, plan);
}

TEST(AcceptAnswer, PartsOfACoverLieInTheOutputOneBehindTheOther) {
  core::CoverOfRange range;
  range.range.bytes = 64;
  range.holes = {{0, 4}, {4, 8}, {60, 64}};
  range.clashing = 4;
  range.clash.begin = 60;
  range.clash.end = 64;
  EXPECT_TRUE(cover_of_one(range).ok());

  core::CoverOfRange wrong = range;
  wrong.holes = {{8, 16}, {12, 20}};  // one in the other
  EXPECT_FALSE(cover_of_one(wrong).ok());
  wrong = range;
  wrong.holes = {{60, 68}};
  EXPECT_FALSE(cover_of_one(wrong).ok());
  wrong = range;
  wrong.clash.end = 65;
  EXPECT_FALSE(cover_of_one(wrong).ok());
  wrong = range;
  wrong.clash.begin = ~uint64_t{0};
  EXPECT_FALSE(cover_of_one(wrong).ok());
  wrong.clashing = 0;  // then nobody reads where it would be
  EXPECT_TRUE(cover_of_one(wrong).ok());
}

TEST(AcceptAnswer, ACostOfNoNumbersIsRefused) {
  const CallPlan plan = plan_of_a_chip();
  PlanCost cost;
  QuestionAnswer answer = cost;
  EXPECT_TRUE(accept_answer(answer, plan).ok());
  cost.spread = std::numeric_limits<double>::infinity();
  answer = cost;
  const Status refused = accept_answer(answer, plan);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, "OPK-WORKER-006");
}

TEST(AcceptAnswer, ATimeThatIsNoNumberIsNone) {
  const CallPlan plan = plan_of_a_chip();
  DryWatch dry;
  dry.seconds = std::numeric_limits<double>::quiet_NaN();
  QuestionAnswer answer = dry;
  ASSERT_TRUE(accept_answer(answer, plan).ok());
  EXPECT_EQ(std::get<DryWatch>(answer).seconds, 0);
}

}  // namespace
}  // namespace opkit::isolation
