#include "built_project.h"

namespace opkit::e2e {

namespace fs = std::filesystem;

fs::path* BuiltProject::built_ = nullptr;
Shown* BuiltProject::made_ = nullptr;
Shown* BuiltProject::build_ = nullptr;

void BuiltProject::SetUpTestSuite() {
  std::string pattern = (fs::temp_directory_path() / "opkit-e2e-built-XXXXXX").string();
  ASSERT_NE(mkdtemp(pattern.data()), nullptr);
  built_ = new fs::path(pattern);
  const Shown made = run_program({opkit_binary(), "new", "MyFused", "--vendor", "acme"}, *built_);
  made_ = new Shown(made);
  build_ = new Shown(run_program({opkit_binary(), "build", "my_fused"}, *built_));
}

void BuiltProject::TearDownTestSuite() {
  std::error_code ignored;
  fs::remove_all(*built_, ignored);
  delete built_;
  delete made_;
  delete build_;
}

void BuiltProject::SetUp() {
  OpkitTest::SetUp();
  ASSERT_EQ(made_->exit_code, 0) << made_->err;
  ASSERT_EQ(build_->exit_code, 0) << build_->err;
  fs::create_directories(path("my_fused/build"));
  for (const char* part :
       {"op_contract.yaml", "CMakeLists.txt", "op_kernel", "op_host", "build/package"}) {
    fs::copy(*built_ / "my_fused" / part, path("my_fused") / part, fs::copy_options::recursive);
  }
}

}  // namespace opkit::e2e
