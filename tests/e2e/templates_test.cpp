// Every template as a user gets it: made, built, and tested on its own contract.
#include "run_opkit.h"

namespace opkit::e2e {
namespace {

class Templates : public OpkitTest {};

TEST_F(Templates, PassTheirTestsAsTheyLieThere) {
  const nlohmann::json list = opkit_json({"new", "--list"});
  ASSERT_GE(list["templates"].size(), 9u);
  for (const std::string name : list["templates"]) {
    EXPECT_NE(list["summaries"][name], "") << name;
    ASSERT_EQ(opkit({"new", "MyOp", "--template", name, "--dir", name}).exit_code, 0) << name;
    ASSERT_EQ(opkit({"build", name + "/my_op"}).exit_code, 0) << name;
    EXPECT_EQ(opkit({"test", name + "/my_op", "--tier", "smoke"}).exit_code, 0) << name;
  }
}

}  // namespace
}  // namespace opkit::e2e
