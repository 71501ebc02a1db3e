// Applications of CMake that take opkit's libraries from find_package, without a toolkit's folder.
#include "opkit_test_paths.h"
#include "run_opkit.h"

namespace opkit::e2e {
namespace {

namespace fs = std::filesystem;

// The CMake package of the opkit under test: an installed SDK's, else the development build's.
fs::path cmake_package() {
  const fs::path program = fs::canonical(opkit_binary());
  for (const char* folder : {"../lib/cmake/opkit", "dev_sdk"}) {
    const fs::path package = program.parent_path() / folder;
    if (fs::exists(package / "opkitConfig.cmake")) return package;
  }
  return {};
}

class FoundPackage : public OpkitTest {};

TEST_F(FoundPackage, OffersTheRuntimeAndGraphs) {
  const fs::path package = cmake_package();
  ASSERT_FALSE(package.empty());
  fs::copy(fs::path(OPKIT_SOURCE_DIR) / "tests/e2e/cmake_projects/find_package", path("app"));
  write("run.sh",
        "set -e\ncmake -G Ninja -S app -B build -Dopkit_DIR=" + package.string() +
            " > log.txt\ncmake --build build >> log.txt\nbuild/make_net\nbuild/run_net\n");
  const Shown shown = run_program({"bash", "run.sh"}, folder_, variables_);
  EXPECT_EQ(shown.exit_code, 0) << read("log.txt") << shown.out << shown.err;
  EXPECT_EQ(shown.out, "0 0.5 0 3\n");
}

}  // namespace
}  // namespace opkit::e2e
