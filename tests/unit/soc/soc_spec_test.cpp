#include "opkit/soc/soc_spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace opkit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const SocSpec& soc(std::string_view name) { return *find_soc(name).value().spec; }

TEST(Soc, ListsEveryChip) {
  EXPECT_THAT(soc_names(), ElementsAre("Ascend310B1", "Ascend310B4", "Ascend310P3", "Ascend910A",
                                       "Ascend910B1", "Ascend910B2", "Ascend910B3", "Ascend910B4"));
  for (const std::string& name : soc_names()) {
    EXPECT_THAT(std::string(soc_text(name)), HasSubstr("name: " + name));
    EXPECT_EQ(soc(name).name, name);
  }
}

struct Figures {
  const char* name;
  uint32_t arch, ai, cube, vector, ub, l1, l0c, cube_mhz, vector_mhz;
  uint64_t l2, device;
  bool split;
};

// The vendor's platform_config figures, typed from the table a second time.
class SocFigures : public ::testing::TestWithParam<Figures> {};

TEST_P(SocFigures, AreTheVendors) {
  const Figures& f = GetParam();
  const SocSpec& s = soc(f.name);
  EXPECT_EQ(s.npu_arch, f.arch);
  EXPECT_EQ(s.cores.ai_core, f.ai);
  EXPECT_EQ(s.cores.cube_core, f.cube);
  EXPECT_EQ(s.cores.vector_core, f.vector);
  EXPECT_EQ(s.memory.ub, f.ub);
  EXPECT_EQ(s.memory.l1, f.l1);
  EXPECT_EQ(s.memory.l0a, 65536u);
  EXPECT_EQ(s.memory.l0c, f.l0c);
  EXPECT_EQ(s.cube_freq_mhz, f.cube_mhz);
  EXPECT_EQ(s.vector_freq_mhz, f.vector_mhz);
  EXPECT_EQ(s.memory.l2, f.l2);
  EXPECT_EQ(s.memory.device, f.device);
  EXPECT_EQ(s.split(), f.split);
  EXPECT_EQ(s.reserved_ub, f.split ? 256u : 0u);
  EXPECT_EQ(s.lib_api_workspace, f.split ? 16u << 20 : 2u << 20);
  EXPECT_EQ(s.input_ranges, s.short_name != "Ascend310B");
}

constexpr uint32_t kKi = 1024, kMi = 1024 * 1024;
INSTANTIATE_TEST_SUITE_P(
    All, SocFigures,
    ::testing::Values(Figures{"Ascend310B1", 3002, 1, 0, 1, 248 * kKi, kMi, 128 * kKi, 1224, 1224,
                              4 * kMi, uint64_t{32} << 30, false},
                      Figures{"Ascend310B4", 3002, 1, 0, 1, 248 * kKi, kMi, 128 * kKi, 500, 500,
                              4 * kMi, uint64_t{16} << 30, false},
                      Figures{"Ascend310P3", 2002, 8, 0, 7, 256 * kKi, kMi, 256 * kKi, 1060, 1000,
                              16 * kMi, 24000000000, false},
                      Figures{"Ascend910A", 1001, 32, 0, 0, 256 * kKi, kMi, 256 * kKi, 1000, 1000,
                              32 * kMi, uint64_t{32} << 30, false},
                      Figures{"Ascend910B1", 2201, 24, 24, 48, 192 * kKi, 512 * kKi, 128 * kKi,
                              1850, 1850, 192 * kMi, uint64_t{64} << 30, true},
                      Figures{"Ascend910B2", 2201, 24, 24, 48, 192 * kKi, 512 * kKi, 128 * kKi,
                              1800, 1800, 192 * kMi, uint64_t{64} << 30, true},
                      Figures{"Ascend910B3", 2201, 20, 20, 40, 192 * kKi, 512 * kKi, 128 * kKi,
                              1800, 1800, 192 * kMi, uint64_t{64} << 30, true},
                      Figures{"Ascend910B4", 2201, 20, 20, 40, 192 * kKi, 512 * kKi, 128 * kKi,
                              1500, 1500, 96 * kMi, uint64_t{32} << 30, true}),
    [](const auto& info) { return info.param.name; });

TEST(Soc, KnowsFractals) {
  EXPECT_EQ(soc("Ascend910B1").fractal_of(DType::kInt8), (SocSpec::Triple{16, 32, 16}));
  EXPECT_EQ(soc("Ascend910B1").fractal_of(DType::kFloat16), (SocSpec::Triple{16, 16, 16}));
}

TEST(Soc, WidensShortNames) {
  const SocMatch full = find_soc("ascend910b3").value();
  EXPECT_EQ(full.spec->name, "Ascend910B3");
  EXPECT_EQ(full.note, "");
  const std::pair<const char*, const char*> kShort[] = {{"Ascend310B", "Ascend310B1"},
                                                        {"310p", "Ascend310P3"},
                                                        {"ascend910", "Ascend910A"},
                                                        {"Ascend910B", "Ascend910B1"}};
  for (const auto& [name, chip] : kShort) {
    const SocMatch match = find_soc(name).value();
    EXPECT_EQ(match.spec->name, chip);
    EXPECT_THAT(match.note, HasSubstr(chip));
  }
}

TEST(Soc, SuggestsAName) {
  const Error error = find_soc("Ascend910B9").error();
  EXPECT_EQ(error.code, "OPK-SOC-002");
  EXPECT_THAT(error.message, HasSubstr("'Ascend910B9'"));
  EXPECT_THAT(error.action, HasSubstr("Ascend910B"));
  for (const char* name : {"Ascend910C", "ascend910_9382", "Atlas A3"}) {
    const Error trade = find_soc(name).error();
    EXPECT_THAT(trade.message, HasSubstr("no file of the Ascend 910C")) << name;
    EXPECT_THAT(trade.action, HasSubstr("Ascend910B1")) << name;
  }
}

std::string edited_chip(std::string_view from, std::string_view to) {
  std::string text(soc_text("Ascend910B1"));
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(Soc, RefusesWhatItDoesNotUnderstand) {
  struct Case {
    const char *from, *to, *code, *message;
  };
  const Case kCases[] = {
      {"npu_arch: 2201", "npu_arc: 2201", "", "npu_arc"},
      {"npu_arch: 2201", "", "OPK-SOC-001", "'npu_arch' is missing"},
      {"  l1: 524288", "  l1: -5", "OPK-SOC-001", "memory.l1 is -5"},
      {"  ub: 196608", "  ub: 9000000000", "OPK-SOC-001", "memory.ub is 9000000000"},
      {"groups: 16", "groups: 0", "OPK-SOC-001", "ub_banks is 0"},
      {"ai_core: 24", "ai_core: 0", "OPK-SOC-001", "cores.ai_core is 0"},
      {"reserved: {ub: 256", "reserved: {ub: 9000000", "OPK-SOC-001", "exceed"},
      {"npu_arch: 2201", "npu_arch: 2999", "OPK-SOC-003", "architecture 2999 is not described"},
      {"int8: [16, 32, 16]", "int8: [16, 32]", "OPK-SOC-001", "fractal.int8"},
      {"types: [CubeCore, VectorCore]", "types: both", "OPK-SOC-001", "cores.types is not a list"},
      {"  issue: {value: 4", "  issue: {value: fast", "", "timing.issue"},
      {"  issue: {value: 4, measured: true", "  issue: {value: 4", "OPK-SOC-001",
       "'timing.issue.measured' is missing"},
      {"    plain: {value: [8, ", "    plain: {value: [", "OPK-SOC-001",
       "timing.vector.plain has not four values"},
  };
  for (const Case& c : kCases) {
    const Result<SocSpec> spec = parse_soc(edited_chip(c.from, c.to), "chip.yaml");
    ASSERT_FALSE(spec.ok()) << c.to;
    EXPECT_THAT(spec.error().message, HasSubstr(c.message));
    if (*c.code) {
      EXPECT_EQ(spec.error().code, c.code);
    }
    EXPECT_EQ(spec.error().where.file, "chip.yaml");
    EXPECT_GT(spec.error().where.line, 0) << c.to;
  }
}

TEST(Soc, ReadsTimingFiguresWithTheirSources) {
  const SocSpec& b1 = soc("Ascend910B1");
  EXPECT_EQ(b1.timing.at("hbm").value, 835.0);
  EXPECT_TRUE(b1.timing.at("hbm").measured);
  EXPECT_THAT(b1.timing.at("hbm").source, HasSubstr("calibrated on U3, A3, A5"));
  EXPECT_FALSE(b1.timing.at("queue_depth").measured);
  EXPECT_EQ(b1.vector_timing.at("slow").eighths, (std::array<uint32_t, 4>{64, 32, 16, 8}));
  for (const std::string& name : soc_names())
    EXPECT_EQ(soc(name).timing_is_measured(), name == "Ascend910B1") << name;
}

TEST(Soc, ReadsTheCubesRates) {
  EXPECT_EQ(soc("Ascend910B1").cube_k_of("float16"), 16u);
  EXPECT_EQ(soc("Ascend910B1").cube_k_of("int4"), 64u);
  EXPECT_EQ(soc("Ascend910B1").cube_k_of("hf32"), 8u);
}

TEST(Soc, CrossesTheWaist) {
  const opk_soc_v1 b1 = to_abi(soc("Ascend910B1"));
  EXPECT_EQ(b1.struct_size, sizeof b1);
  EXPECT_STREQ(b1.name, "Ascend910B1");
  EXPECT_EQ(b1.split, 1u);
  EXPECT_EQ(b1.cube_core_num, 24u);
  EXPECT_EQ(b1.vector_core_num, 48u);
  EXPECT_EQ(b1.memory_size[OPK_MEM_UB], 196608u);
  EXPECT_EQ(b1.memory_size[OPK_MEM_FB], 2048u);
  EXPECT_EQ(b1.reserved_ub, 256u);
  EXPECT_EQ(b1.arch->npu_arch, 2201u);
  EXPECT_EQ(b1.arch->lacks_nothing, 1u);
  const opk_soc_v1 p3 = to_abi(soc("Ascend310P3"));
  EXPECT_EQ(p3.split, 0u);
  EXPECT_EQ(p3.cube_core_num, 8u);
  EXPECT_EQ(p3.vector_core_num, 15u);  // eight AI cores and seven vector cores
  EXPECT_EQ(to_abi(soc("Ascend310B1")).vector_register_bytes, 256u);
}

}  // namespace
}  // namespace opkit
