#include "opkit_host/repository_helpers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <type_traits>

#include "opkit_host/module_log.h"
#include "securec.h"
#include "tiling_base/tiling_templates_registry.h"

namespace opkit {
namespace {

TEST(RepositoryHelpers, RoundInBothDirections) {
  EXPECT_EQ(Ops::Base::CeilDiv(7, 2), 4);
  EXPECT_EQ(Ops::Base::CeilDiv(int64_t{8}, 2), 4);
  EXPECT_EQ(Ops::Base::CeilDiv(7, 0), 7);
  EXPECT_EQ(Ops::Base::FloorDiv(7u, 2u), 3u);
  EXPECT_EQ(Ops::Base::CeilAlign(17, 16), 32);
  EXPECT_EQ(Ops::Base::FloorAlign(17, 16), 16);
}

TEST(RepositoryHelpers, Broadcast) {
  struct Case {
    gert::Shape a, b, expected;
    bool fits;
  };
  const Case kCases[] = {
      {{2, 1, 3}, {4, 3}, {2, 4, 3}, true},
      {{-1, 3}, {1, 3}, {-1, 3}, true},
      {{-1}, {5}, {5}, true},
      {{5}, {-1}, {5}, true},
      {{}, {2, 2}, {2, 2}, true},
      {{-2}, {3}, {-2}, true},
      {{2}, {3}, {}, false},
  };
  for (const Case& c : kCases) {
    gert::Shape shape = c.a;
    ASSERT_EQ(Ops::Base::BroadcastShape(c.b, shape), c.fits) << Ops::Base::ToString(c.a);
    if (c.fits) {
      EXPECT_EQ(shape, c.expected) << Ops::Base::ToString(shape);
    }
  }
}

TEST(RepositoryHelpers, GiveTexts) {
  EXPECT_EQ(Ops::Base::ToString(gert::Shape{2, -1}), "[2, -1]");
  EXPECT_EQ(Ops::Base::ToString(ge::DT_BF16), "DT_BF16");
  EXPECT_EQ(Ops::Base::ToString(ge::FORMAT_FRACTAL_NZ), "FRACTAL_NZ");
  EXPECT_EQ(Ops::Base::ToString(std::vector<int>{1, 2}), "[1, 2]");
}

TEST(RepositoryHelpers, KnowSpecialShapes) {
  gert::Shape shape;
  EXPECT_EQ(Ops::Base::EnsureNotScalar(shape), (gert::Shape{1}));
  Ops::Base::SetUnknownRank(shape);
  EXPECT_TRUE(Ops::Base::IsUnknownRank(shape));
  Ops::Base::SetUnknownShape(3, shape);
  EXPECT_EQ(shape, (gert::Shape{-1, -1, -1}));
  EXPECT_TRUE(Ops::Base::IsUnknownShape(shape));
}

TEST(LogMacros, RefuseInWords) {
  ::testing::internal::CaptureStderr();
  OP_LOGE_FOR_INVALID_DTYPE_WITH_REASON("node", "x", "DT_INT8", "only floats are accepted");
  EXPECT_EQ(::testing::internal::GetCapturedStderr(),
            "error: node: invalid dtype: x, DT_INT8, only floats are accepted\n");
}

// Leaves as soon as one check holds.
int stopped_by(const int* pointer, int limit) {
  OPS_LOG_E_IF_NULL("node", pointer, return 1);
  OPS_LOG_E_IF(*pointer > limit, "node", return 2, "%d is above %d", *pointer, limit);
  OPS_CHECK(*pointer < 0, OPS_REPORT_VECTOR_INNER_ERR("node", "it is negative"), return 3);
  OPS_CHECK(*pointer == 0, OPS_REPORT_CUBE_INNER_ERR("node", "it is 0"), return 4);
  return 0;
}

TEST(LogMacros, CheckAndLeave) {
  const int high = 9, low = -1, none = 0, right = 2;
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(stopped_by(nullptr, 5), 1);
  EXPECT_EQ(stopped_by(&high, 5), 2);
  EXPECT_EQ(stopped_by(&low, 5), 3);
  EXPECT_EQ(stopped_by(&none, 5), 4);
  EXPECT_EQ(stopped_by(&right, 5), 0);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(),
            "error: node: pointer is a null pointer\nerror: node: 9 is above 5\n"
            "error: node: it is negative\nerror: node: it is 0\n");
}

TEST(ModuleLog, WritesWarningsAndErrors) {
  EXPECT_EQ(CheckLogLevel(OP, DLOG_INFO), 0);
  EXPECT_EQ(CheckLogLevel(OP, DLOG_ERROR), 1);
  ::testing::internal::CaptureStderr();
  DlogRecord(OP, DLOG_DEBUG, "nobody reads %d", 1);
  DlogRecord(OP, DLOG_WARN, "key %d is not known", 7);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "warning: key 7 is not known\n");
}

TEST(RepositoryHelpers, AreThereForTransformerOps) {
  using namespace Ops::Transformer::OpTiling;
  static_assert(std::is_same_v<TilingBaseClass, optiling::TilingBaseClass>);
  EXPECT_EQ(Ops::Transformer::CeilAlign(17, 16), 32);
}

TEST(TypeSizes, AreInBytes) {
  EXPECT_EQ(ge::GetSizeByDataType(ge::DT_FLOAT16), 2);
  EXPECT_EQ(ge::GetSizeByDataType(ge::DT_INT4), ge::kDataTypeSizeBitOffset + 4);
  EXPECT_EQ(ge::GetSizeByDataType(ge::DT_STRING), -1);
  EXPECT_EQ(ge::GetSizeInBytes(3, ge::DT_INT4), 2);
  uint32_t length = 0;
  EXPECT_TRUE(ge::TypeUtils::GetDataTypeLength(ge::DT_DOUBLE, length));
  EXPECT_EQ(length, 8u);
}

TEST(Securec, RefusesWhatDoesNotFit) {
  char to[4] = {1, 1, 1, 1};
  EXPECT_EQ(memset_s(to, sizeof to, 0, 5), ERANGE);
  EXPECT_EQ(to[0], 1);
  EXPECT_EQ(memcpy_s(to, sizeof to, "abc", 4), EOK);
  EXPECT_STREQ(to, "abc");
  EXPECT_EQ(memcpy_s(nullptr, 4, "abc", 4), EINVAL);
}

}  // namespace
}  // namespace opkit
