// opkit gate: the counters of the shipped ops, and what it says of files that are wrong.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "opkit_test_paths.h"
#include "run_opkit.h"

namespace opkit::e2e {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

const fs::path kOps = fs::path(OPKIT_SOURCE_DIR) / "ops";

// Those of ops/host run on the host's processor, which has no counters.
std::vector<std::string> shipped_ops() {
  std::vector<std::string> folders;
  for (const char* kind : {"builtin", "fused"}) {
    for (const auto& entry : fs::recursive_directory_iterator(kOps / kind)) {
      if (entry.path().filename() == "op_kernel")
        folders.push_back(entry.path().parent_path().string());
    }
  }
  std::sort(folders.begin(), folders.end());
  return folders;
}

class Gate : public OpkitTest {
 protected:
  void SetUp() override {
    OpkitTest::SetUp();
    use_shipped("AddRelu");
    if (fs::exists(path("opp"))) GTEST_SKIP() << "no packages: run `make ops` first";
    fs::create_directories(path("add_relu"));
    fs::copy(kOps / "fused/add_relu/op_contract.yaml", path("add_relu/op_contract.yaml"));
  }
  nlohmann::json kept() const { return nlohmann::json::parse(read("add_relu/benchmark.json")); }
  void keep(const nlohmann::json& counters) const {
    write("add_relu/benchmark.json", counters.dump());
  }
  void update() { ASSERT_EQ(opkit({"gate", "add_relu", "--update"}).exit_code, 0); }
  // A call of AddRelu in the counters.
  static nlohmann::json& call_of(nlohmann::json& counters) {
    return counters["AddRelu"]["Ascend910B1"]["S=[1048576], T=float16"];
  }
};

TEST_F(Gate, TheShippedOpsCostWhatTheirFilesSay) {
  std::vector<std::string> words = shipped_ops();
  ASSERT_GT(words.size(), 40u);
  words.insert(words.begin(), "gate");
  const nlohmann::json json = opkit_json(words);
  EXPECT_TRUE(json["passed"]) << json["differences"].dump(2);
  EXPECT_GT(json["calls"], 700);
}

// Ops that look at their data are counted on data.
TEST(GateFiles, LeaveNoCallOut) {
  size_t on_data = 0;
  for (const std::string& folder : shipped_ops()) {
    std::ifstream file(fs::path(folder) / "benchmark.json");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    EXPECT_EQ(text.find("not_modelled"), std::string::npos) << folder;
    on_data += text.find("on_data") != std::string::npos ? 1 : 0;
  }
  EXPECT_GE(on_data, 4u);
}

TEST_F(Gate, CountersAreTheSameEveryTime) {
  update();
  const std::string first = read("add_relu/benchmark.json");
  update();
  EXPECT_EQ(read("add_relu/benchmark.json"), first);
  nlohmann::json counters = kept();
  // Two inputs, one output, of 2 MiB each.
  EXPECT_EQ(call_of(counters)["gm_read"], 4194304);
  EXPECT_EQ(call_of(counters)["gm_written"], 2097152);
}

TEST_F(Gate, FivePercentMoreIsTooMuch) {
  update();
  for (const char* counter : {"cycles", "gm_read"}) {
    nlohmann::json counters = kept();
    const auto now = call_of(counters)[counter].get<uint64_t>();
    call_of(counters)[counter] = now / 2;
    keep(counters);
    const nlohmann::json json = opkit_json({"gate", "add_relu"}, 1);
    ASSERT_EQ(json["differences"].size(), 1u);
    EXPECT_EQ(json["differences"][0]["what"],
              counter == std::string("cycles") ? counter : "GM bytes");
    const Shown shown = opkit({"gate", "add_relu"});
    EXPECT_EQ(shown.exit_code, 1);
    EXPECT_THAT(shown.out, HasSubstr("worse"));
    update();
  }
}

TEST_F(Gate, ACallThatTheFileLacksShutsIt) {
  update();
  nlohmann::json counters = kept();
  counters["AddRelu"]["Ascend910B1"].erase("S=[1048576], T=float16");
  keep(counters);
  EXPECT_THAT(opkit_json({"gate", "add_relu"}, 1)["differences"][0]["what"],
              HasSubstr("not in the file"));
}

TEST_F(Gate, FilesThatAreMissingOrWrongAreRefused) {
  EXPECT_THAT(opkit({"gate", "add_relu"}).err, HasSubstr("OPK-CLI-033"));
  for (const char* text : {"", "[]", "{\"AddRelu\": 1}", "{\"AddRelu\": {\"Ascend910B1\": 1}}",
                           "{\"AddRelu\": {\"Ascend910B1\": {\"S=[1]\": {\"cycles\": -1}}}}"}) {
    write("add_relu/benchmark.json", text);
    EXPECT_THAT(opkit({"gate", "add_relu"}).err, HasSubstr("OPK-CLI-034")) << text;
  }
  fs::create_directories(path("empty"));
  EXPECT_THAT(opkit({"gate", "empty", "--update"}).err, HasSubstr("OPK-CLI-017"));
  EXPECT_THAT(opkit({"gate", "AddRelu"}).err, HasSubstr("OPK-CLI-017"));
  write("plain/op_contract.yaml",
        "op: Plain\nversion: \"1.0.0\"\ninputs: {x: {dtype: float32, shape: \"S..\"}}\n"
        "outputs: {y: {dtype: float32, shape: \"S..\"}}\n"
        "reference: [{op: Relu, in: [x], out: y}]\nsoc: [Ascend910B]\n");
  EXPECT_THAT(opkit({"gate", "plain"}).err, HasSubstr("OPK-CLI-022"));
  EXPECT_FALSE(fs::exists(path("empty/benchmark.json")));
}

}  // namespace
}  // namespace opkit::e2e
