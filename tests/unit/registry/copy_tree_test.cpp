#include "registry/copy_tree.h"

#include <sys/stat.h>

#include "packages.h"

namespace opkit::registry {
namespace {

namespace fs = std::filesystem;
using CopyTreeTest = OppTest;

TEST_F(CopyTreeTest, OnlyPlainFilesAreCopied) {
  fs::create_directories(opp_ / "from");
  ASSERT_EQ(mkfifo((opp_ / "from/pipe").c_str(), 0600), 0);
  const Status status = copy_tree(opp_ / "from", opp_ / "to");
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, "OPK-INSTALL-005");
  EXPECT_NE(status.error().message.find("is neither a file nor a directory"), std::string::npos);
}

}  // namespace
}  // namespace opkit::registry
