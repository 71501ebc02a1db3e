#include "opkit_host/template_key.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "sample/op_kernel/matmul_act_tiling_key.h"

namespace opkit {
namespace {

using ::testing::ElementsAre;

TEST(TemplateKey, ExpandsLists) {
  EXPECT_THAT(opkit_host::expand_uints({ASCENDC_TPL_UI_LIST, 5, 3}), ElementsAre(5, 3));
  EXPECT_THAT(opkit_host::expand_uints({ASCENDC_TPL_UI_RANGE, 2, 0, 1, 4, 5}),
              ElementsAre(0, 1, 4, 5));
  EXPECT_THAT(opkit_host::expand_uints({ASCENDC_TPL_UI_MIX, 1, 2, 4, 9, 7}),
              ElementsAre(2, 3, 4, 9, 7));
  EXPECT_TRUE(opkit_host::expand_uints({}).empty());
  EXPECT_THAT(opkit_host::expand_uints({ASCENDC_TPL_UI_RANGE, 9, 1, 2}), ElementsAre(1, 2));
}

TEST(TemplateKey, PacksFromTheLowestBits) {
  // dtype 1 (8 bits), format 29 (8), place 2 of {0, 1, 7} (2), place 1 (8), bool 1 (1).
  EXPECT_EQ(GET_TPL_TILING_KEY(C_DT_FLOAT16, C_FORMAT_FRACTAL_NZ, ACT_GELU, 1, true),
            1u | 29u << 8 | 2u << 16 | 1u << 18 | 1u << 26);
}

TEST(TemplateKey, EnumeratesWhatIsSelected) {
  const auto all =
      opkit_host::enumerate_templates(opkit_template_arguments, opkit_template_selections);
  ASSERT_EQ(all.size(), 2u * 2 * 2 * 2 + 1);
  std::set<uint64_t> keys;
  for (const auto& combination : all) {
    keys.insert(combination.key);
    const std::vector<int64_t>& v = combination.values;
    EXPECT_EQ(combination.key, GET_TPL_TILING_KEY(v[0], v[1], v[2], v[3], v[4]));
  }
  EXPECT_EQ(keys.size(), all.size());
  EXPECT_EQ(all.front().task_type, ASCENDC_TPL_MIX_AIC_1_2);
  EXPECT_EQ(all.back().task_type, -1);
  EXPECT_THAT(all.back().values, ElementsAre(C_DT_FLOAT, C_FORMAT_ND, ACT_NONE, 200, 0));
}

TEST(TemplateKey, RefusesWhatIsNotSelected) {
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(GET_TPL_TILING_KEY(C_DT_FLOAT, C_FORMAT_ND, ACT_RELU, 200, 0), UINT64_MAX);
  EXPECT_EQ(GET_TPL_TILING_KEY(C_DT_FLOAT, C_FORMAT_ND), UINT64_MAX);
  const std::string words = ::testing::internal::GetCapturedStderr();
  EXPECT_THAT(words, ::testing::HasSubstr(
                         "OPK-HOST-010: template key of 'MatmulAct': no ASCENDC_TPL_ARGS_SEL has "
                         "(0, 2, 1, 200, 0)"));
  EXPECT_THAT(words, ::testing::HasSubstr("2 values for 5 parameters"));
}

}  // namespace
}  // namespace opkit
