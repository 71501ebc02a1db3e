// A scaffolded and built project, made once per suite; each test works on a copy.
#ifndef OPKIT_TESTS_E2E_BUILT_PROJECT_H_
#define OPKIT_TESTS_E2E_BUILT_PROJECT_H_

#include "run_opkit.h"

namespace opkit::e2e {

// The project is my_fused with the op MyFused 1.0.0 of acme.
class BuiltProject : public OpkitTest {
 protected:
  static void SetUpTestSuite();
  static void TearDownTestSuite();
  void SetUp() override;

  void install() { ASSERT_EQ(opkit({"install", "my_fused"}).exit_code, 0); }
  std::string installed() const { return "opp/vendors/acme/op_pkg/MyFused/1.0.0"; }

  static std::filesystem::path* built_;
  static Shown* made_;   // what opkit new said
  static Shown* build_;  // what opkit build said
};

}  // namespace opkit::e2e

#endif  // OPKIT_TESTS_E2E_BUILT_PROJECT_H_
