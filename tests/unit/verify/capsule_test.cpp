#include "opkit/verify/capsule.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "fake_executor.h"
#include "opkit/verify/capsule_bytes.h"
#include "opkit/verify/judge.h"

namespace opkit::verify {
namespace {

using nlohmann::json;
using testing::HasSubstr;

constexpr const char* kAdd = R"(
op: AddTwo
version: "1.0.0"
inputs:
  x: {dtype: T, shape: "S..", format: ND}
  y: {dtype: T, shape: "S..", format: ND}
outputs:
  z: {dtype: T, shape: "S..", format: ND}
types: {T: [float16, float32]}
where: {C1: "rank(S) <= 8", C2: "prod(S) < 2**31"}
reference:
  - {op: Add, in: [x, y], out: z}
soc: [Ascend910B]
)";

// Wrong at its last element.
void wrong_add(FakeCall& call) {
  for (int64_t i = 0; i < call.out().elements(); ++i)
    call.out().set(i, call.in(0).at(i) + call.in(1).at(i));
  if (call.out().elements() > 0) call.out().set(call.out().elements() - 1, 77);
}

class Capsules : public testing::Test {
 protected:
  Capsules() : contract_(std::move(OpContract::parse(kAdd, "op_contract.yaml")).value()) {}

  Capsule capsule_of(const std::string& line) {
    const auto problem = parse_line(contract_, line);
    EXPECT_TRUE(problem.ok()) << problem.error().to_string();
    return make_capsule(contract_, "fake", judge(contract_, executor_, *problem), false,
                        {"written by block 0"});
  }
  json small() {
    return json::parse(to_json(capsule_of("AddTwo --t T=float32 --d S=5 --soc Ascend910B1")));
  }

  OpContract contract_;
  FakeExecutor executor_{wrong_add};
};

TEST_F(Capsules, KeepSmallInputsAsBytes) {
  const Capsule made =
      capsule_of("AddTwo --t T=float32 --d S=7x3 --data special --soc Ascend910B1 --seed 9");
  EXPECT_TRUE(made.has_bytes);
  EXPECT_EQ(made.seed, 9u);
  EXPECT_EQ(made.soc, "Ascend910B1");
  const auto read = read_capsule(to_json(made));
  ASSERT_TRUE(read.ok()) << read.error().to_string();
  ASSERT_EQ(read->inputs.size(), 2u);
  EXPECT_EQ(read->inputs[0].dims, (std::vector<int64_t>{7, 3}));
  EXPECT_EQ(read->inputs[1].bytes, made.inputs[1].bytes);
  EXPECT_THAT(read->trace, testing::ElementsAre("written by block 0"));
  const auto again = replay(*read, executor_);
  ASSERT_TRUE(again.ok()) << again.error().to_string();
  EXPECT_TRUE(again->same() && again->from_bytes && again->same_plugin) << again->to_string();
}

// The bytes count, not the generator: inputs that no seed makes are replayed, too.
TEST_F(Capsules, ReplayTheBytesThatTheyHold) {
  Capsule capsule = capsule_of("AddTwo --t T=float32 --d S=5 --soc Ascend910B1");
  const std::string generated = capsule.input_digest;
  capsule.inputs[0].bytes.assign(20, '\x01');
  const auto again = replay(capsule, executor_);
  ASSERT_TRUE(again.ok()) << again.error().to_string();
  EXPECT_NE(again->result.input_digest, generated);
  EXPECT_FALSE(again->same_inputs);
}

TEST_F(Capsules, KeepTheSeedOfLargeInputs) {
  const Capsule made = capsule_of("AddTwo --t T=float32 --d S=20000 --soc Ascend910B1 --seed 3");
  EXPECT_FALSE(made.has_bytes);
  EXPECT_TRUE(made.inputs.empty());
  const auto read = read_capsule(to_json(made));
  ASSERT_TRUE(read.ok()) << read.error().to_string();
  const auto again = replay(*read, executor_);
  ASSERT_TRUE(again.ok());
  EXPECT_TRUE(again->same()) << again->to_string();
  EXPECT_THAT(again->to_string(), HasSubstr("made again from the seed"));
}

TEST_F(Capsules, TellWhatHasChanged) {
  const Capsule made = capsule_of("AddTwo --t T=float32 --d S=5 --soc Ascend910B1");
  FakeExecutor mended([](FakeCall& call) {
    for (int64_t i = 0; i < call.out().elements(); ++i)
      call.out().set(i, call.in(0).at(i) + call.in(1).at(i));
  });
  const auto again = replay(made, mended);
  ASSERT_TRUE(again.ok());
  EXPECT_FALSE(again->same());
  EXPECT_THAT(again->to_string(), HasSubstr("the verdict has changed"));
}

TEST_F(Capsules, DamagedInputsAreRefused) {
  json text = small();
  text["inputs"]["tensors"][0]["base64"] = base64_of(std::string(20, 'x'));
  const auto read = read_capsule(text.dump());
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().code, "OPK-VERIFY-042");
  EXPECT_THAT(read.error().to_string(), HasSubstr("damaged or was edited"));
}

TEST_F(Capsules, InputsThatDoNotFitTheProblemAreRefused) {
  Capsule capsule = capsule_of("AddTwo --t T=float32 --d S=5 --soc Ascend910B1");
  capsule.inputs[1].dims = {6};
  EXPECT_THAT(replay(capsule, executor_).error().to_string(),
              HasSubstr("input y is not the problem's float32 [5]"));
  capsule.inputs.pop_back();
  EXPECT_THAT(replay(capsule, executor_).error().to_string(), HasSubstr("too few input tensors"));
  capsule = capsule_of("AddTwo --t T=float32 --d S=5 --soc Ascend910B1");
  capsule.inputs.push_back(capsule.inputs.back());
  EXPECT_THAT(replay(capsule, executor_).error().to_string(), HasSubstr("too many input tensors"));
  capsule.inputs.clear();
  capsule.has_bytes = false;
  capsule.line = "AddTwo --t T=float32 --d S=2000000000 --soc Ascend910B1";
  EXPECT_THAT(replay(capsule, executor_).error().to_string(), HasSubstr("larger than any test"));
}

TEST_F(Capsules, OtherFilesAreRefusedWithAReason) {
  const auto reason = [&](auto change) {
    json text = small();
    change(text);
    const auto read = read_capsule(text.dump());
    EXPECT_FALSE(read.ok());
    EXPECT_TRUE(read.ok() || read.error().code == "OPK-VERIFY-041") << read.error().to_string();
    return read.ok() ? std::string() : read.error().to_string();
  };
  EXPECT_THAT(reason([](json& j) { j["format"] = "opkit-capsule/9"; }), HasSubstr("its format"));
  EXPECT_THAT(reason([](json& j) { j.erase("contract"); }), HasSubstr("no text 'contract'"));
  EXPECT_THAT(reason([](json& j) { j["judged"] = "taste"; }), HasSubstr("'taste'"));
  EXPECT_THAT(reason([](json& j) { j["seed"] = -1; }), HasSubstr("no number 'seed'"));
  EXPECT_THAT(reason([](json& j) { j["trace"] = {1}; }), HasSubstr("trace is no text"));
  EXPECT_THAT(reason([](json& j) { j["op"] = std::string((1 << 20) + 1, 'a'); }),
              HasSubstr("'op' has 1048577 bytes"));
  EXPECT_THAT(reason([](json& j) { j["inputs"]["kept_as"] = "wishes"; }), HasSubstr("'wishes'"));
  EXPECT_THAT(reason([](json& j) { j["inputs"]["tensors"][0]["dtype"] = "float17"; }),
              HasSubstr("'float17' is no dtype"));
  EXPECT_THAT(reason([](json& j) { j["inputs"]["tensors"][0]["dims"] = {-1}; }),
              HasSubstr("a dim is no number"));
  EXPECT_THAT(reason([](json& j) { j["inputs"]["tensors"][0]["base64"] = "a"; }),
              HasSubstr("no base64"));
  EXPECT_THAT(reason([](json& j) {
                j["inputs"]["tensors"][0]["base64"] = base64_of(std::string(70000, 'x'));
              }),
              HasSubstr("more than 65536 bytes"));
  EXPECT_EQ(read_capsule(std::string(5 << 20, ' ')).error().code, "OPK-VERIFY-041");
  EXPECT_EQ(read_capsule(std::string(100000, '[')).error().code, "OPK-VERIFY-041");
}

TEST(CapsuleBytes, AreTheSameAfterTheWayThere) {
  std::string bytes;
  for (int i = 0; i < 300; ++i) {
    EXPECT_EQ(bytes_of_base64(base64_of(bytes)), bytes);
    bytes += static_cast<char>(i * 7);
  }
  EXPECT_EQ(base64_of("Man"), "TWFu");
  EXPECT_EQ(base64_of("Ma"), "TWE=");
  for (const char* wrong : {"abc", "====", "a===", "ab=c", "ab==abcd", "ab!=", "TWE=\n"})
    EXPECT_EQ(bytes_of_base64(wrong), std::nullopt) << wrong;
}

}  // namespace
}  // namespace opkit::verify
