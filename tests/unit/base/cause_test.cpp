// Cause: every code has the causes that its row says, and no other.
#include "opkit/base/cause.h"

#include <gtest/gtest.h>

#include "opkit/base/status.h"

namespace opkit {
namespace {

TEST(Cause, ACodeHasTheCausesOfItsRows) {
  EXPECT_TRUE(has_cause("OPK-WORKER-001", Cause::kHostLacks));
  EXPECT_TRUE(has_cause("OPK-WORKER-001", Cause::kWorker));
  EXPECT_FALSE(has_cause("OPK-WORKER-001", Cause::kCrash));
  EXPECT_TRUE(has_cause("OPK-WORKER-002", Cause::kCrash));
}

TEST(Cause, AFamilyIsNamedCodeByCode) {
  EXPECT_TRUE(has_cause("OPK-TILE-009", Cause::kTiling));
  EXPECT_TRUE(has_cause("OPK-CONTRACT-014", Cause::kContract));
  EXPECT_FALSE(has_cause("OPK-TILE", Cause::kTiling));
}

TEST(Cause, AnErrorIsAskedByItsCode) {
  EXPECT_TRUE(Error("OPK-DRY-001", "the kernel reads 'x'").is(Cause::kReadsData));
  EXPECT_FALSE(Error("OPK-COST-001", "no part repeats").is(Cause::kReadsData));
  EXPECT_FALSE(Error().is(Cause::kFile));
}

}  // namespace
}  // namespace opkit
