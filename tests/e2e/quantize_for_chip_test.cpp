// opkit quantize and opkit model compare with a chip: mixed precision, offline models.
#include <cmath>

#include "quantize.h"

namespace opkit::e2e {
namespace {

using testing::HasSubstr;

class QuantizeForChip : public Quantize {
 protected:
  void SetUp() override {
    Quantize::SetUp();
    use_shipped("Conv");
  }
  std::vector<std::string> with_budget(const std::string& model, const std::string& budget) const {
    return {"quantize",    model,      "--data", "data.npy", "--soc",
            "Ascend310B1", "--budget", budget,   "--check",  "4"};
  }
};

TEST_F(QuantizeForChip, MixesTypesWithinABudget) {
  std::vector<std::string> words = with_budget("net.onnx", "sqnr=34");
  words.insert(words.end(), {"--report", "curve.html"});
  const auto made = opkit_json(words);
  const auto& mix = made["mix"];
  ASSERT_EQ(mix["layers"].size(), 7u);
  EXPECT_LE(mix["noise"], std::pow(10, -3.4));
  ASSERT_GE(mix["front"].size(), 1u);
  for (size_t i = 1; i < mix["front"].size(); ++i) {
    EXPECT_GT(mix["front"][i]["ns"], mix["front"][i - 1]["ns"]);
    EXPECT_LT(mix["front"][i]["noise"], mix["front"][i - 1]["noise"]);
  }
  // Branches are no chain.
  EXPECT_EQ(mix["exact"], false);
  EXPECT_THAT(read("curve.html"), HasSubstr("<svg"));
  for (const char* kind : {"int8", "float16", "float32"}) EXPECT_TRUE(made["times"].contains(kind));
}

// An offline model runs as a whole: pieces of the file are given the values that it had.
TEST_F(QuantizeForChip, ComparesAnOfflineModelWithItsFile) {
  const Shown made = opkit({"atc", "--model=net.onnx", "--framework=5", "--output=net",
                            "--soc_version=Ascend310B1", "--precision_mode=allow_fp32_to_fp16"});
  ASSERT_EQ(made.exit_code, 0) << made.err;
  const auto compared = opkit_json({"model", "compare", "net.onnx", "net.om", "--data", "data.npy",
                                    "--samples", "2", "--dump", "seen"});
  EXPECT_EQ(compared["samples"], 2);
  EXPECT_GT(compared["values"].size(), 0u);
  const auto scores = value_of(compared, "scores");
  ASSERT_TRUE(scores.is_object()) << compared;
  EXPECT_GT(scores["carried"]["sqnr"], 40);
  EXPECT_GE(compared["scores"]["scores"]["top1_agreement"], 0.5);
  for (const auto& value : compared["values"]) {
    if (!value.contains("added") || value["added"]["sqnr"].is_null()) continue;
    EXPECT_GT(value["added"]["sqnr"], 40) << value;
  }
  EXPECT_TRUE(std::filesystem::exists(path("seen/b/1")));
  const auto turned = opkit_json(
      {"model", "compare", "net.om", "net.onnx", "--data", "data.npy", "--samples", "1"});
  EXPECT_GT(value_of(turned, "scores")["carried"]["sqnr"], 40);
  const auto same =
      opkit_json({"model", "compare", "net.om", "net.om", "--data", "data.npy", "--samples", "1"});
  EXPECT_TRUE(same["ranking"].empty());
  EXPECT_EQ(value_of(same, "scores")["carried"]["largest"], 0);
}

TEST_F(QuantizeForChip, RefusesBudgetsThatCannotBeKept) {
  expect_refused(with_budget("net.onnx", "top1"), "OPK-CLI-004", "--budget is 'top1'");
  expect_refused(with_budget("net.onnx", "top5=1%"), "OPK-CLI-004", "write top1=0.5%");
  expect_refused({"quantize", "net.onnx", "--data", "data.npy", "--budget", "sqnr=30"},
                 "OPK-CLI-003", "--budget needs --soc");
  std::vector<std::string> unmeasured = with_budget("net.onnx", "sqnr=30");
  unmeasured.back() = "0";
  expect_refused(unmeasured, "OPK-CLI-003", "--budget and --check 0");
  expect_refused({"quantize", "net.onnx", "--data", "data.npy", "--report", "page.html"},
                 "OPK-CLI-003", "--report needs --budget");
  OnnxWriter planes;
  planes.input("image", {1, 3, 16, 16});
  planes.constant("w", {4, 3, 1, 1}, drawn(12, 3, 1));
  planes.node("Conv", {"image", "w"}, "planes");
  planes.output("planes", {1, 4, 16, 16});
  write("planes.onnx", planes.model());
  expect_refused(with_budget("planes.onnx", "top1=1%"), "OPK-QUANT-014",
                 "no output of the model holds a row of scores");
}

}  // namespace
}  // namespace opkit::e2e
