// opkit feasible: what a fused op would gain, from contracts and nodes alone.
#include <chrono>

#include "onnx_writer.h"
#include "opkit_test_paths.h"
#include "run_opkit.h"

namespace opkit::e2e {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

const std::string kRoot = OPKIT_SOURCE_DIR;

class Feasible : public OpkitTest {
 protected:
  void SetUp() override {
    OpkitTest::SetUp();
    OnnxWriter net;
    net.input("x", {64, 1024});
    net.input("y", {64, 1024});
    net.node("Add", {"x", "y"}, "s");
    net.node("Relu", {"s"}, "t");
    net.node("Softmax", {"t"}, "p");
    net.node("Add", {"p", "y"}, "s2");
    net.node("Relu", {"s2"}, "t2");
    net.output("t2", {64, 1024});
    write("m.onnx", net.model());
  }
};

TEST_F(Feasible, AContractIsEnough) {
  const auto one = opkit_json({"feasible", kRoot + "/ops/fused/add_relu/op_contract.yaml"});
  EXPECT_EQ(one["traffic"]["separate_bytes"], 5 * 2097152);
  EXPECT_EQ(one["traffic"]["fused_bytes"], 3 * 2097152);
  EXPECT_EQ(one["launches_saved"], 1);
  EXPECT_EQ(one["chips"].size(), 2u);  // those of the contract
  EXPECT_NEAR(one["chips"][1]["gain"], 1.79, 1.79 * 0.15);
  for (const auto& chip : one["chips"]) {
    EXPECT_LE(chip["gain_least"], chip["gain"]);
    EXPECT_GE(chip["gain_most"], chip["gain"]);
    EXPECT_LE(chip["fused"]["bound_ns"], chip["fused"]["expected_ns"]);
  }
  EXPECT_EQ(one["red"], 0);
  const Shown shown = opkit({"feasible", kRoot + "/ops/fused/add_relu"});
  EXPECT_THAT(shown.out,
              AllOf(HasSubstr("2 launches become 1; 10485760 bytes become 6291456, 40 % less"),
                    HasSubstr("[green] 40 % of the traffic goes"),
                    HasSubstr("promising: high gain, low complexity")));
}

TEST_F(Feasible, SaysWhatForbidsTheFusion) {
  const auto one = opkit_json({"feasible", kRoot + "/ops/fused/flash_attention/op_contract.yaml"});
  EXPECT_THAT(one["forbids"].dump(),
              AllOf(HasSubstr("two heavy operators"), HasSubstr("a reduction across tiles")));
  EXPECT_THAT(std::string(one["quadrant"]), HasSubstr("high complexity"));
}

TEST_F(Feasible, CountsInAModel) {
  const std::string contract = kRoot + "/ops/fused/add_relu/op_contract.yaml";
  EXPECT_EQ(opkit_json({"feasible", contract, "--model", "m.onnx"})["occurrences"], 2);
  const auto nodes = opkit_json({"feasible", "--model", "m.onnx", "--nodes", "s_node,t_node"});
  EXPECT_EQ(nodes["occurrences"], 2);
  EXPECT_EQ(nodes["traffic"]["fused_bytes"], 3 * 64 * 1024 * 4);
  EXPECT_THAT(opkit({"feasible", "--model", "m.onnx", "--nodes", "s_node,t_node"}).out,
              HasSubstr("[green] it stands 2 times in m.onnx"));
}

TEST_F(Feasible, RefusesWhatItCannotCount) {
  const auto none = opkit_json({"feasible"}, 2);
  EXPECT_THAT(none.dump(), HasSubstr("name an op, or a model with nodes of it"));
  const auto comes_back =
      opkit_json({"feasible", "--model", "m.onnx", "--nodes", "s_node,s2_node"}, 1);
  EXPECT_EQ(comes_back["error"]["code"], "OPK-FEASIBLE-003");
  EXPECT_THAT(comes_back.dump(), HasSubstr("what leaves the nodes comes back"));
  const auto tile =
      opkit_json({"feasible", kRoot + "/ops/fused/add_relu", "--tile", "128x128x64"}, 1);
  EXPECT_EQ(tile["error"]["code"], "OPK-FEASIBLE-004");
  EXPECT_THAT(tile.dump(), HasSubstr("a tile of 128x128x64 does not suit these loops"));
  const auto unknown = opkit_json({"feasible", "--model", "m.onnx", "--nodes", "s_node,tt"}, 1);
  EXPECT_EQ(unknown["error"]["code"], "OPK-AUTHOR-001");
}

TEST_F(Feasible, ThePageIsWhatTheScriptWrites) {
  const Shown made = run_program(
      {OPKIT_PYTHON, kRoot + "/scripts/feasible_gains.py", opkit_binary(), kRoot}, folder_);
  ASSERT_EQ(made.exit_code, 0) << made.err;
  EXPECT_EQ(made.out, text_of(kRoot + "/docs/feasible-gains.md"))
      << "write it anew: python3 scripts/feasible_gains.py opkit . > docs/feasible-gains.md";
  EXPECT_EQ(made.out.find("| ? | |"), std::string::npos);  // every gap has a reason
}

}  // namespace
}  // namespace opkit::e2e
