// atc --optimize: other forms of a graph whose cover takes less time. With the packages that `make
// ops` installed.
#include <cmath>

#include "npy.h"
#include "onnx_writer.h"
#include "run_opkit.h"

namespace opkit::e2e {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr size_t kLines = 256, kTerms = 64, kSums = 128;

class Optimize : public OpkitTest {
 protected:
  void SetUp() override {
    OpkitTest::SetUp();
    use_shipped("MatMulAddActivation");
    write("m.onnx", model());
    write("x.npy", float_npy(sixteenths(kLines * kTerms, 1), "256, 64"));
  }

  // Two layers whose activation stands behind a change of layout, where no op of a product sees it.
  static std::string model() {
    OnnxWriter net;
    net.input("x", {kLines, kTerms});
    net.constant("w", {kTerms, kSums}, sixteenths(kTerms * kSums, 3));
    net.constant("v", {kLines, kLines}, sixteenths(kLines * kLines, 7));
    net.node("MatMul", {"x", "w"}, "product");
    net.node("Transpose", {"product"}, "turned", "perm", {1, 0});
    net.constant("column", {kSums, 1}, sixteenths(kSums, 5));
    net.node("Add", {"turned", "column"}, "shifted");
    net.node("Relu", {"shifted"}, "bent");
    net.node("MatMul", {"bent", "v"}, "y");
    net.output("y", {kSums, kLines});
    return net.model();
  }

  std::vector<std::string> atc(const std::string& output, std::vector<std::string> more = {}) {
    std::vector<std::string> words = {"atc", "--model=m.onnx", "--framework=5",
                                      "--output=" + output, "--soc_version=Ascend910B1"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  std::vector<float> run(const std::string& om) {
    const Shown ran =
        opkit({"model", "run", om, "--input", "x=x.npy", "--out", "y=" + om + ".npy"});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    return floats_of(read(om + ".npy"));
  }
};

TEST_F(Optimize, TakesStepsThatTheCoverGainsBy) {
  const auto plain = opkit_json(atc("plain"));
  const auto made = opkit_json(atc("made", {"--optimize"}));
  EXPECT_LT(made["kernel_ns"], plain["kernel_ns"]);
  EXPECT_LT(made["kernels"], plain["kernels"]);
  EXPECT_FALSE(plain.contains("optimize"));
  const auto& found = made["optimize"];
  ASSERT_FALSE(found["steps"].empty()) << found;
  EXPECT_EQ(found["steps"][0]["rewrite"], "hoist_elementwise");
  EXPECT_EQ(found["steps"][0]["before_ns"], found["plain_ns"]);
  EXPECT_EQ(found["steps"].back()["after_ns"], found["best_ns"]);
  EXPECT_EQ(found["best_ns"], made["cover"]["cost_ns"]);
  EXPECT_LE(found["bound_ns"], found["best_ns"]);
  EXPECT_LE(found["tried"], 64);
  // Two products one behind the other: no launch stands beside another one.
  EXPECT_EQ(found["launches_in_a_row"], found["launches"]);
  EXPECT_EQ(found["merging_most_ns"], 0);
  EXPECT_GT(found["residency_most_ns"], 0);
  EXPECT_LE(found["bound_ns"], found["floor_ns"]);
  EXPECT_LE(found["floor_ns"], found["best_ns"]);
  for (const auto& step : found["steps"]) EXPECT_LT(step["distance"], 1e-9);
  EXPECT_EQ(made["rewrites"]["hoist_elementwise"], 1);
  const std::vector<float> apart = run("plain.om"), joined = run("made.om");
  ASSERT_EQ(joined.size(), kSums * kLines);
  for (size_t i = 0; i < joined.size(); ++i)
    ASSERT_NEAR(joined[i], apart[i], 1e-5 * (1 + std::abs(apart[i]))) << i;
}

TEST_F(Optimize, IsRepeatableAndSaysWhatItDid) {
  const Shown once = opkit(atc("a", {"--optimize", "--optimize-seed=7", "--check"}));
  EXPECT_EQ(once.exit_code, 0) << once.err;
  EXPECT_THAT(once.out,
              AllOf(HasSubstr("optimize: "), HasSubstr("hoist_elementwise at '"),
                    HasSubstr("% less; the same on data"), HasSubstr("bound: "),
                    HasSubstr("launches take "), HasSubstr("these launches at their own bounds: "),
                    HasSubstr("merging others gains at most 0.0 us"), HasSubstr("checked:")));
  const auto first = opkit_json(atc("b", {"--optimize", "--optimize-seed=7"})),
             second = opkit_json(atc("c", {"--optimize", "--optimize-seed=7"}));
  EXPECT_EQ(first["optimize"], second["optimize"]);
  const auto few = opkit_json(atc("d", {"--optimize", "--optimize-most=1"}));
  EXPECT_EQ(few["optimize"]["tried"], 1);
  EXPECT_TRUE(few["optimize"]["steps"].empty());
  EXPECT_GT(few["optimize"]["untried"], 0);
}

TEST_F(Optimize, RefusesWordsThatMeanNothing) {
  const auto refused = [&](const std::vector<std::string>& words, const std::string& text) {
    const Shown shown = opkit(atc("m", words));
    EXPECT_NE(shown.exit_code, 0);
    EXPECT_THAT(shown.err, HasSubstr(text));
  };
  refused({"--optimize-most=3"}, "it is for --optimize, which is not given");
  refused({"--optimize-seed=3"}, "try: --optimize --optimize-seed=3");
  refused({"--optimize", "--optimize-most=0"}, "--optimize-most");
}

}  // namespace
}  // namespace opkit::e2e
