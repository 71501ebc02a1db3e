// What `opkit infer` shows when the author's functions contradict the contract.
#include "opkit_test_paths.h"
#include "run_opkit.h"

namespace opkit::e2e {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class Inference : public OpkitTest {
 protected:
  // An op whose contract says that z has the shape of x, with this body of an InferShape.
  void build(const std::string& body) {
    fs::copy(fs::path(OPKIT_SOURCE_DIR) / "tests/e2e/plain_class_op", path("plain"),
             fs::copy_options::recursive);
    const std::string impl = "IMPL_OP_OPTILING(PlainSub).Tiling(optiling::Tiling);";
    edit("plain/op_host/plain_sub.cpp", impl,
         "namespace {\n"
         "ge::graphStatus Infer(gert::InferShapeContext* context) {\n" +
             body +
             "  return ge::GRAPH_SUCCESS;\n"
             "}\n"
             "}  // namespace\n" +
             impl + "\nIMPL_OP_INFERSHAPE(PlainSub).InferShape(Infer);");
    ASSERT_EQ(opkit({"build", "plain", "--build-dir", "built"}).exit_code, 0);
  }
  std::vector<std::string> words() const {
    return {"infer", "built/package", "--shape", "x=3,7", "--shape", "y=3,7"};
  }
};

TEST_F(Inference, ThatContradictsTheContractIsShown) {
  build("  *context->GetOutputShape(0) = gert::Shape({21});\n");
  const Shown shown = opkit(words());
  EXPECT_EQ(shown.exit_code, 1) << shown.err;
  EXPECT_THAT(shown.out,
              AllOf(HasSubstr("[3, 7]"), HasSubstr("author's inference:"), HasSubstr("[21]"),
                    HasSubstr("OPK-TILE-023"), Not(HasSubstr("agrees with the contract"))));
  std::vector<std::string> as_json = words();
  as_json.push_back("--json");
  const nlohmann::json json = opkit_json(as_json, 1);
  EXPECT_EQ(json["author"]["asked"], true);
  EXPECT_EQ(json["author"]["agrees"], false);
}

TEST_F(Inference, ThatAgreesIsShown) {
  build("  *context->GetOutputShape(0) = *context->GetInputShape(0);\n");
  const Shown shown = opkit(words());
  EXPECT_EQ(shown.exit_code, 0) << shown.err;
  EXPECT_THAT(shown.out, HasSubstr("agrees with the contract"));
}

}  // namespace
}  // namespace opkit::e2e
