// Nodes of a model that name an installed op: the op takes them, whatever its reference looks like
// after the passes.
#include "onnx_writer.h"
#include "run_opkit.h"

namespace opkit::e2e {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class CustomNodes : public OpkitTest {
 protected:
  Shown atc(const std::string& type, const std::vector<std::string>& inputs,
            std::vector<std::string> more = {}) {
    OnnxWriter net;
    for (const std::string& input : inputs) net.input(input, {2, 16});
    net.node(type, inputs, "z");
    net.output("z", {2, 16});
    write("net.onnx", net.model());
    std::vector<std::string> words = {"atc", "--model=net.onnx", "--framework=5", "--output=net",
                                      "--soc_version=Ascend910B1"};
    words.insert(words.end(), more.begin(), more.end());
    return opkit(words);
  }
};

TEST_F(CustomNodes, BecomeTheInstalledOp) {
  std::filesystem::create_directories(path("opp"));
  variables_["ASCEND_OPP_PATH"] = path("opp").string();
  // An empty OPP is told, and so is the type; another op's name is no slip of the finger.
  const Shown unknown = atc("BlendTwo", {"x", "y"});
  EXPECT_EQ(unknown.exit_code, 1);
  EXPECT_THAT(unknown.err, AllOf(HasSubstr("E19010"), HasSubstr("optype [BlendTwo]"),
                                 HasSubstr("install an op BlendTwo"), HasSubstr("OPK-CLI-023")));
  // Its alpha is 1 when nobody says otherwise: the passes drop that product from the reference.
  ASSERT_EQ(opkit({"new", "BlendTwo"}).exit_code, 0);
  ASSERT_EQ(opkit({"build", "blend_two", "--install"}).exit_code, 0);
  const Shown made = atc("BlendTwo", {"x", "y"}, {"--check"});
  ASSERT_EQ(made.exit_code, 0) << made.err;
  EXPECT_THAT(made.err, Not(HasSubstr("OPK-CLI-023")));
  const auto shown = opkit_json({"om", "show", "net.om"});
  ASSERT_EQ(shown["steps"].size(), 1u);
  EXPECT_EQ(shown["steps"][0]["op"], "BlendTwo");
  EXPECT_EQ(shown["steps"][0]["kind"], "kernel");
  const Shown one = atc("BlendTwo", {"x"});
  EXPECT_THAT(one.err, AllOf(HasSubstr("OPK-ATC-014"), HasSubstr("it has 1 inputs"),
                             HasSubstr("in node z_node (BlendTwo)")));
  EXPECT_THAT(atc("BlendTwoo", {"x", "y"}).err, HasSubstr("did you mean 'BlendTwo'?"));
  EXPECT_THAT(atc("PairTwo", {"x", "y"}).err, Not(HasSubstr("did you mean")));
  write("off.cfg", "BlendTow:off\nConvBatchnormFusionPass:off\n");
  const Shown misspelt = atc("BlendTwo", {"x", "y"}, {"--fusion_switch_file=off.cfg"});
  EXPECT_EQ(misspelt.exit_code, 0);
  EXPECT_THAT(misspelt.err, AllOf(HasSubstr("OPK-ATC-015"), HasSubstr("BlendTow:off"),
                                  HasSubstr("did you mean 'BlendTwo'?"),
                                  Not(HasSubstr("ConvBatchnormFusionPass"))));
}

TEST_F(CustomNodes, AreRefusedWithTheFolderThatIsMissing) {
  variables_["ASCEND_OPP_PATH"] = path("nowhere").string();
  EXPECT_THAT(atc("Relu", {"x"}).err, AllOf(HasSubstr("warning OPK-CLI-023"), HasSubstr("nowhere"),
                                            HasSubstr("is no folder")));
  EXPECT_THAT(opkit({"lock", "--opp", "nothere"}).err,
              AllOf(HasSubstr("OPK-CLI-023"), HasSubstr("nothere (--opp) is no folder"),
                    HasSubstr("nothing to lock")));
}

}  // namespace
}  // namespace opkit::e2e
