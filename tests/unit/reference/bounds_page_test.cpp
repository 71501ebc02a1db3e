#include "bounds_page.h"

#include <gmock/gmock.h>

#include "opkit/base/file.h"
#include "opkit/reference/operators.h"
#include "opkit_test_paths.h"

namespace opkit::reference {
namespace {

using testing::HasSubstr;

TEST(BoundsPage, IsCurrent) {
  const auto committed = read_file(OPKIT_SOURCE_DIR "/docs/bounds.md");
  ASSERT_TRUE(committed.ok());
  EXPECT_EQ(*committed, bounds_page()) << "run ninja bounds_doc";
}

TEST(BoundsPage, HasALineForEveryOperator) {
  const std::string page = bounds_page();
  for (const Operator& one : all_operators())
    EXPECT_THAT(page, HasSubstr("\n| " + std::string(one.name) + " | "));
  EXPECT_THAT(page, HasSubstr("| Relu | exact: moves or selects elements | exact |"));
  EXPECT_THAT(page, HasSubstr("| Gelu | 4 ulps and 4 u, slope at most 1.13 | allowed |"));
}

}  // namespace
}  // namespace opkit::reference
