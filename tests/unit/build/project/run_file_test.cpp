#include "opkit/build/project/run_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace opkit::project {
namespace {

TEST(RunFile, HoldsOpsOfOneVendor) {
  std::vector<registry::Package> packages(2);
  packages[0].manifest.vendor = "acme";
  packages[1].manifest.vendor = "other";
  const std::filesystem::path file =
      std::filesystem::path(testing::TempDir()) / "opkit_two_vendors.run";
  const Status written = write_run_file(packages, file);
  ASSERT_FALSE(written.ok());
  EXPECT_EQ(written.error().code, "OPK-RUNFILE-001");
  EXPECT_FALSE(std::filesystem::exists(file));
}

}  // namespace
}  // namespace opkit::project
