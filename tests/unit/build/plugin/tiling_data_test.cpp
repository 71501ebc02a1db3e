#include "register/tilingdata_base.h"

#include <gmock/gmock.h>

#include <cstddef>
#include <cstdlib>

#include "acl/acl_base.h"
#include "opkit_host/tiling_struct.h"
#include "sample/op_host/add_custom_tiling.h"
#include "sample_plugin.h"

// Authors leave the semicolon out, too.
namespace optiling {
constexpr int kTails = 2;
using Count = uint32_t;

BEGIN_TILING_DATA_DEF(WithoutSemicolonTilingData)
TILING_DATA_FIELD_DEF(uint32_t, length);
END_TILING_DATA_DEF
REGISTER_TILING_DATA_CLASS(WithoutSemicolon, WithoutSemicolonTilingData)

// Page "TILING_DATA_FIELD_DEF": fields are what the compiler sees, not what the text says.
BEGIN_TILING_DATA_DEF(SeenTilingData)
TILING_DATA_FIELD_DEF(Count, length);
// TILING_DATA_FIELD_DEF(uint32_t, dropped);
/* TILING_DATA_FIELD_DEF(uint64_t, old); */
#if 0
TILING_DATA_FIELD_DEF(uint32_t, off);
#endif
TILING_DATA_FIELD_DEF_ARR(int8_t, kTails * 3 + 1, tails);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(Seen, SeenTilingData)
REGISTER_TILING_DATA_CLASS(Seen_7, WithoutSemicolonTilingData)
}  // namespace optiling

namespace opkit {
namespace {

using ::testing::HasSubstr;

// The kernel's side of AddCustomTilingData.
struct Split {
  uint8_t axis;
  uint64_t stride;
};
struct Plain {
  uint32_t totalLength;
  uint32_t tileNum;
  uint8_t flag;
  float scale;
  int16_t tails[3];
  Split split;
};

TEST(TilingDataClass, EndsWithoutASemicolon) {
  optiling::WithoutSemicolonTilingData tiling;
  tiling.set_length(5);
  EXPECT_EQ(tiling.get_length(), 5u);
  EXPECT_EQ(opkit_host::registry().tiling_classes.count("WithoutSemicolon"), 1u);
}

TEST(AclLog, FromTheLevelUpwards) {
  const auto said = [](aclLogLevel level) {
    testing::internal::CaptureStderr();
    ACL_APP_LOG(level, "%d of %s", 3, "x");
    return testing::internal::GetCapturedStderr();
  };
  unsetenv("ASCEND_GLOBAL_LOG_LEVEL");
  EXPECT_THAT(said(ACL_ERROR), HasSubstr(": error: operator(): 3 of x\n"));
  EXPECT_EQ(said(ACL_WARNING), "");
  setenv("ASCEND_GLOBAL_LOG_LEVEL", "1", 1);
  EXPECT_THAT(said(ACL_INFO), HasSubstr(": info: "));
  EXPECT_EQ(said(ACL_DEBUG), "");
  unsetenv("ASCEND_GLOBAL_LOG_LEVEL");
}

TEST(TilingDataClass, WritesTheBytesOfAPlainStruct) {
  optiling::AddCustomTilingData tiling;
  ASSERT_EQ(tiling.GetDataSize(), sizeof(Plain));
  tiling.set_totalLength(1000);
  tiling.set_tileNum(8);
  tiling.set_flag(7);
  tiling.set_scale(0.25f);
  const int16_t tails[] = {1, -2, 3};
  tiling.set_tails(tails);
  tiling.split.set_axis(9);
  tiling.split.set_stride(uint64_t{1} << 40);
  const optiling::AddCustomTilingData copy = tiling;  // copies are independent
  tiling.set_totalLength(1);
  tiling.split.set_axis(1);
  Plain plain;
  copy.SaveToBuffer(&plain, sizeof plain);
  EXPECT_EQ(plain.totalLength, 1000u);
  EXPECT_EQ(plain.tileNum, 8u);
  EXPECT_EQ(plain.flag, 7);
  EXPECT_EQ(plain.scale, 0.25f);
  EXPECT_EQ(plain.tails[1], -2);
  EXPECT_EQ(plain.split.axis, 9);
  EXPECT_EQ(plain.split.stride, uint64_t{1} << 40);
  EXPECT_EQ(copy.get_totalLength(), 1000u);
  EXPECT_EQ(copy.get_tails()[2], 3);
}

// Returns what tell_unset says of an AddCustomTilingData that `fill` has filled.
template <typename Fill>
std::string told_of(Fill fill) {
  optiling::AddCustomTilingData tiling;
  fill(tiling);
  std::string words;
  opk_report_v1 report{};
  report.host = &words;
  report.report = [](void* host, int32_t severity, const char* code, const char* text) {
    *static_cast<std::string*>(host) += std::to_string(severity) + " " + code + " " + text;
  };
  const opkit_host::ReportScope scope(&report);
  Plain plain;
  const optiling::AddCustomTilingData copy = tiling;
  copy.SaveToBuffer(&plain, sizeof plain);
  return words;
}

TEST(TilingDataClass, NamesFieldsThatNobodySet) {
  EXPECT_EQ(told_of([](auto&) {}),
            "0 OPK-HOST-013 fields totalLength, tileNum, flag, scale and 1 more were never set "
            "(AddCustomTilingData)");
  const auto all_but_scale = [](auto& tiling) {
    tiling.set_totalLength(0);
    tiling.set_tileNum(0);
    tiling.set_flag(0);
    tiling.get_tails()[1] = 5;
  };
  EXPECT_EQ(told_of(all_but_scale),
            "0 OPK-HOST-013 field scale was never set (AddCustomTilingData)");
  EXPECT_EQ(told_of([&](auto& tiling) {
              all_but_scale(tiling);
              tiling.set_scale(0);
            }),
            "");
}

TEST(TilingDataClass, ReportsABufferThatIsTooSmall) {
  optiling::AddCustomTilingData tiling;
  std::string words;
  opk_report_v1 report{};
  report.host = &words;
  report.report = [](void* host, int32_t, const char* code, const char* text) {
    *static_cast<std::string*>(host) = std::string(code) + " " + text;
  };
  opkit_host::ReportScope scope(&report);
  char small[8] = {1};
  tiling.SaveToBuffer(small, sizeof small);
  EXPECT_EQ(small[0], 1);
  EXPECT_THAT(words, HasSubstr("OPK-HOST-002"));
  EXPECT_THAT(words, HasSubstr("AddCustomTilingData of 40 bytes"));
}

TEST(TilingDataClass, IsWrittenAsTheCompilerSeesIt) {
  const std::string text = opkit_host::tiling_header("Seen");
  EXPECT_THAT(text,
              HasSubstr("struct SeenTilingData {\n  uint32_t length;\n  int8_t tails[7];\n};"));
  EXPECT_THAT(text, HasSubstr("#if (TILING_KEY_VAR) == 7\n#undef GET_TILING_DATA\n#define "
                              "GET_TILING_DATA(name, tiling) "
                              "GET_TILING_DATA_WITH_STRUCT(WithoutSemicolonTilingData,"));
  EXPECT_THAT(text, HasSubstr("#error OPK-GEN-009"));
}

TEST(TilingDataClass, IsWrittenAsAStructForTheKernel) {
  using Function = const char* (*)();
  const auto structs =
      reinterpret_cast<Function>(sample_symbol(OPKIT_HOST_SAMPLE, "host_sample_structs"));
  const std::string text = structs();
  EXPECT_THAT(text, HasSubstr("struct AddCustomTilingData {\n  uint32_t totalLength;\n"));
  EXPECT_THAT(text, HasSubstr("  int16_t tails[3];\n  SplitInfo split;\n};\n"));
  EXPECT_THAT(text, HasSubstr("static_assert(sizeof(AddCustomTilingData) == 40"));
  EXPECT_THAT(text, HasSubstr("using OpkitDefaultTiling = AddCustomTilingData;"));
  EXPECT_EQ(text.find("struct MatmulAct"), std::string::npos);  // another op's
  EXPECT_LT(text.find("struct SplitInfo"), text.find("struct AddCustomTilingData"));
  EXPECT_EQ(text.find("struct SplitInfo"), text.rfind("struct SplitInfo"));
}

}  // namespace
}  // namespace opkit
