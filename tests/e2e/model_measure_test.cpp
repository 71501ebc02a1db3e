// Where the time of an offline model goes: opkit model bench and opkit model profile.
#include <algorithm>
#include <set>

#include "run_opkit.h"
#include "small_net.h"

namespace opkit::e2e {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

class ModelMeasures : public OpkitTest {
 protected:
  void SetUp() override {
    OpkitTest::SetUp();
    variables_["ASCEND_OPP_PATH"] = path("opp").string();
    ASSERT_EQ(opkit({"new", "BlendRelu"}).exit_code, 0);
    ASSERT_EQ(opkit({"build", "blend_relu", "--install"}).exit_code, 0);
    write("net.onnx", small_net());
    compile("Ascend910B1", "net");
  }
  void compile(const std::string& soc, const std::string& name) {
    const Shown made = opkit({"atc", "--model=" + path("net.onnx").string(), "--framework=5",
                              "--output=" + path(name).string(), "--soc_version=" + soc});
    ASSERT_EQ(made.exit_code, 0) << made.out << made.err;
  }
};

TEST_F(ModelMeasures, BenchSplitsFrames) {
  const json bench = opkit_json({"model", "bench", "net.om", "--samples", "7", "--warm", "1"});
  EXPECT_EQ(bench["samples"], 7);
  double sum = 0;
  for (const char* part : {"T_pre", "T_h2d", "T_infer", "T_d2h", "T_post", "T_idle"}) {
    const json& times = bench["parts"][part];
    EXPECT_GE(times["mean_seconds"], times["least_seconds"]) << part;
    EXPECT_GE(times["p95_seconds"], times["p50_seconds"]) << part;
    EXPECT_GE(times["p99_seconds"], times["p95_seconds"]) << part;
    EXPECT_GE(times["most_seconds"], times["p99_seconds"]) << part;
    EXPECT_EQ(times["noisy"], times["cv"] > 0.15) << part;
    sum += times["mean_seconds"].get<double>();
  }
  const double total = bench["parts"]["T_total"]["mean_seconds"];
  EXPECT_NEAR(sum, total, 1e-3 * total);
  EXPECT_NEAR(bench["throughput_fps"].get<double>() * total, 1, 1e-9);
  const json& longest = bench["parts"][bench["limiting_part"].get<std::string>()];
  EXPECT_NEAR(bench["overlapped_fps"].get<double>() * longest["mean_seconds"].get<double>(), 1,
              1e-9);
  ASSERT_EQ(bench["steps"].size(), 4u);
  std::set<std::string> ops;
  for (const json& step : bench["steps"]) ops.insert(step["op"]);
  EXPECT_THAT(ops, testing::Contains("BlendRelu"));
  EXPECT_GE(bench["steps"][0]["p50_seconds"], bench["steps"][3]["p50_seconds"]);
  // Two outputs of 12 elements; the same frames give the same ones.
  EXPECT_EQ(bench["largest"].size(), 2u);
  EXPECT_EQ(opkit_json({"model", "bench", "net.om", "--samples", "1"})["largest"],
            bench["largest"]);
  const Shown table = opkit({"model", "bench", "net.om", "--samples", "2"});
  EXPECT_THAT(table.out, AllOf(HasSubstr("T_infer"), HasSubstr("throughput"), HasSubstr("limits")));
}

TEST_F(ModelMeasures, BenchCountsTheFramesOfADuration) {
  const json bench =
      opkit_json({"model", "bench", "net.om", "--duration", "1", "--samples", "1", "--top", "1"});
  EXPECT_GT(bench["samples"], 1);
  EXPECT_EQ(bench["steps"].size(), 1u);
}

TEST_F(ModelMeasures, ProfileWritesTheTablesOfMsProf) {
  const json profile = opkit_json({"model", "profile", "net.om", "--csv", "."});
  const std::string summary = read("op_summary.csv");
  EXPECT_THAT(summary, AllOf(testing::StartsWith("Model Name,Model ID,Task ID,Stream ID,"),
                             HasSubstr(",BlendRelu,static,AI_VECTOR_CORE,"),
                             HasSubstr(",host MatMul,static,HOST,"), HasSubstr(",FLOAT32;")));
  size_t steps = 0;
  for (const json& piece : profile["timeline"]) steps += piece["row"] != "copies";
  EXPECT_EQ(std::count(summary.begin(), summary.end(), '\n'), static_cast<int64_t>(steps) + 1);
  uint64_t total = 0;
  for (const json& type : profile["types"]) total += type["total_ns"].get<uint64_t>();
  uint64_t timeline = 0;
  for (const json& piece : profile["timeline"])
    timeline += piece["row"] == "copies" ? 0 : piece["ns"].get<uint64_t>();
  EXPECT_EQ(total, timeline);
  EXPECT_THAT(read("op_statistic.csv"), HasSubstr("BlendRelu,AI_VECTOR_CORE,1,"));
  EXPECT_THAT(opkit({"model", "profile", "net.om", "--csv", "nowhere"}).err, HasSubstr("OPK-FILE"));
  const Shown text = opkit({"model", "profile", "net.om"});
  EXPECT_THAT(text.out, AllOf(HasSubstr("chip "), HasSubstr("host "), HasSubstr("float32[")));
}

TEST_F(ModelMeasures, ProfileLaysOutAFrame) {
  const json profile =
      opkit_json({"model", "profile", "net.om", "--trace", "t.json", "--top", "1", "--link", "2"});
  uint64_t now = 0, kernels = 0, idle = 0;
  for (const json& piece : profile["timeline"]) {
    EXPECT_EQ(piece["start_ns"], now);
    now += piece["ns"].get<uint64_t>();
    if (piece["row"] != "stream 0") continue;
    ++kernels;
    EXPECT_EQ(piece["op"], "BlendRelu");
    EXPECT_GT(piece["busy_ns"], 0);
    idle += piece["ns"].get<uint64_t>() - piece["busy_ns"].get<uint64_t>();
  }
  EXPECT_EQ(kernels, 1u);
  EXPECT_EQ(profile["total_ns"], now);
  EXPECT_GE(profile["parts_ns"]["T_idle"], idle);
  EXPECT_EQ(profile["parts_ns"]["T_h2d"], 4 * 16 * 4 / 2 + 4 * 8 * 4 / 2);
  EXPECT_EQ(profile["top"].size(), 1u);
  EXPECT_EQ(profile["diagnosis"].size(), 6u);
  const json trace = json::parse(read("t.json"));
  // A slice and a point of the curve of memory for each piece, and the names of the rows.
  EXPECT_EQ(trace["traceEvents"].size(), 2 * profile["timeline"].size() + 4);
  // The kernel's time is the model's, the same every time.
  const auto kernel_ns = [](const json& shown) {
    for (const json& piece : shown["timeline"])
      if (piece["row"] == "stream 0") return piece["ns"].get<uint64_t>();
    return uint64_t{0};
  };
  EXPECT_EQ(kernel_ns(opkit_json({"model", "profile", "net.om"})), kernel_ns(profile));
  const Shown text = opkit({"model", "profile", "net.om"});
  EXPECT_THAT(text.out, AllOf(HasSubstr("host MatMul"), HasSubstr("gaps"), HasSubstr("found"),
                              HasSubstr("install an op for ")));
}

TEST_F(ModelMeasures, RefuseWhatTheyCannotMeasure) {
  EXPECT_THAT(opkit({"model", "profile", "net.om", "--link", "fast"}).err,
              HasSubstr("OPK-CLI-004"));
  EXPECT_THAT(opkit({"model", "profile", "net.om", "--link", "0"}).err, HasSubstr("OPK-CLI-004"));
  EXPECT_THAT(opkit({"model", "profile", "net.onnx"}).err, HasSubstr("OPK-OM-001"));
  EXPECT_THAT(opkit({"model", "profile", "net.om", "--against", "nowhere.om"}).err,
              HasSubstr("OPK-FILE-001"));
  EXPECT_THAT(opkit({"model", "bench", "net.om", "--input", "picture=x.npy"}).err,
              AllOf(HasSubstr("OPK-OM-007"), HasSubstr("picture")));
  compile("Ascend310B1", "small_chip");
  EXPECT_THAT(opkit({"model", "profile", "small_chip.om"}).err,
              AllOf(HasSubstr("OPK-CLI-015"), HasSubstr("atc --soc_version=")));
  EXPECT_THAT(
      opkit({"model", "bench", "net.om", "--input", "image=a.npy", "--input", "image=b.npy"}).err,
      AllOf(HasSubstr("OPK-CLI-004"), HasSubstr("names image twice")));
  EXPECT_EQ(opkit({"model", "bench", "small_chip.om", "--samples", "1"}).exit_code, 0);
}

// Frames of other inputs take other times for other reasons.
TEST_F(ModelMeasures, CompareModelsOfTheSameInputs) {
  OnnxWriter other;
  other.input("image", {4, 16});
  other.input("shift", {1, 16});
  other.node("Add", {"image", "shift"}, "y");
  other.output("y", {4, 16});
  write("net.onnx", other.model());
  compile("Ascend910B1", "other");
  const Shown refused = opkit({"model", "profile", "net.om", "--against", "other.om"});
  EXPECT_NE(refused.exit_code, 0);
  EXPECT_THAT(refused.err, AllOf(HasSubstr("OPK-OM-007: --against other.om takes "
                                           "image[4, 16] shift[1, 16], the model takes "
                                           "image[4, 16] shift[4, 8]"),
                                 HasSubstr("try: ")));
  write("net.onnx", small_net());
  compile("Ascend910B2", "other_chip");
  EXPECT_THAT(opkit({"model", "profile", "net.om", "--against", "other_chip.om"}).err,
              AllOf(HasSubstr("OPK-CLI-004"), HasSubstr("is a model for Ascend910B2")));
  EXPECT_EQ(opkit({"model", "profile", "net.om", "--against", "net.om"}).exit_code, 0);
}

// What cannot be written is found out before anything is.
TEST_F(ModelMeasures, AtcLeavesNoModelWithoutItsReports) {
  const auto atc = [&](const std::string& output, const std::string& more) {
    return opkit({"atc", "--model=net.onnx", "--framework=5", "--output=" + output,
                  "--soc_version=Ascend910B1", more});
  };
  for (const char* report : {"--picture=none/p", "--fusion_result=none/f.json"}) {
    const Shown shown = atc("other", report);
    EXPECT_EQ(shown.exit_code, 3) << report;
    EXPECT_THAT(shown.err, HasSubstr("OPK-FILE-004")) << report;
  }
  EXPECT_FALSE(std::filesystem::exists(path("other.om")));
  EXPECT_THAT(atc("opp/", "--explain").err,
              AllOf(HasSubstr("E10001"), HasSubstr("--output=opp/model")));
}

// No time is modelled for what stays on the host.
TEST_F(ModelMeasures, NodesOfTheHostCostNothingThatIsTold) {
  std::filesystem::create_directories(path("empty"));
  const Shown made =
      opkit({"atc", "--model=net.onnx", "--framework=5", "--output=hosted",
             "--soc_version=Ascend910B1", "--opp", path("empty").string(), "--json"});
  ASSERT_EQ(made.exit_code, 0) << made.err;
  const json summary = json::parse(made.out);
  EXPECT_GT(summary["host"], 0);
  EXPECT_LT(summary["cover"]["cost_ns"], 1000000000);
}

}  // namespace
}  // namespace opkit::e2e
