#include "opkit/soc/arch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "opkit/soc/embedded.h"

namespace opkit {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr opk_types bit(uint32_t dtype) { return opk_types{1} << dtype; }

TEST(Arch, ArchitecturesOfEveryChipAreDescribed) {
  for (const uint32_t number : {1001u, 2002u, 2201u, 3002u}) {
    const auto arch = find_arch(number);
    ASSERT_TRUE(arch.ok()) << arch.error().to_string();
    EXPECT_EQ((*arch)->table().npu_arch, number);
    EXPECT_EQ((*arch)->table().known_count, 4u);
    EXPECT_EQ((*arch)->table().lacks_nothing, number == 2201 ? 1u : 0u);
  }
}

TEST(Arch, RefusesAnUnknownArchitecture) {
  const auto arch = find_arch(2999);
  ASSERT_FALSE(arch.ok());
  EXPECT_EQ(arch.error().code, "OPK-SOC-003");
  EXPECT_THAT(arch.error().message,
              AllOf(HasSubstr("2999 is not described"), HasSubstr("2002 (Ascend 310P)")));
  EXPECT_THAT(arch.error().action, HasSubstr("opkit/soc/archs/2999.yaml"));
}

// Pages "Add", "ShiftLeft", "Brcb", "Cast", "DataCopyPad", "SetAtomicAdd".
TEST(Arch, SaysWhatCoresExecute) {
  const ArchSpec& p = *find_arch(2002).value();
  EXPECT_EQ(p.vector_types(OPK_V_ADD),
            bit(OPK_INT16) | bit(OPK_INT32) | bit(OPK_FLOAT16) | bit(OPK_FLOAT32));
  EXPECT_EQ(p.vector_types(OPK_V_SHIFT_LEFT), 0u);
  EXPECT_STREQ(p.table().vector_instead[OPK_V_SHIFT_LEFT], "use Muls with a power of two");
  EXPECT_NE(p.vector_types(OPK_V_BRCB), 0u);
  EXPECT_EQ(p.table().cast[OPK_INT8], bit(OPK_FLOAT16));
  EXPECT_FALSE(p.has(OPK_A_PAD_COPY));
  EXPECT_TRUE(find_arch(3002).value()->has(OPK_A_PAD_COPY));
  EXPECT_EQ(find_arch(1001).value()->table().atomic_add, bit(OPK_FLOAT32));
}

std::string edited_arch(std::string_view from, std::string_view to) {
  for (const EmbeddedSpec& file : embedded_archs()) {
    std::string text(file.text);
    if (file.file.find("2002") == std::string_view::npos) continue;
    const size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
  }
  return {};
}

TEST(Arch, RefusesFilesThatItDoesNotUnderstand) {
  struct Case {
    const char *from, *to, *message;
  };
  const Case kCases[] = {
      {"npu_arch: 2002", "npu_arc: 2002", "npu_arc"},
      {"  Abs: [", "  Abz: [", "'Abz' is no vector instruction"},
      {"  Abs: [float16", "  Abs: [float17", "'float17' in Abs is no element type"},
      {"has: [compare_to_register", "has: [compare_to_registers", "'compare_to_registers' in has"},
      {"calls: {all_but", "calls: {but", "but"},
      {"mmad: [int4", "mmat: [int4", "mmat"},
  };
  for (const Case& c : kCases) {
    ArchSpec arch;
    const Status status = parse_arch(edited_arch(c.from, c.to), "arch.yaml", arch);
    ASSERT_FALSE(status.ok()) << c.to;
    Status failed = status;
    EXPECT_THAT(failed.error().to_string(), HasSubstr(c.message));
  }
}

}  // namespace
}  // namespace opkit
