#include "opkit_host/template_key.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "graph/types.h"
#include "sample/op_kernel/matmul_act_tiling_key.h"

namespace opkit {
namespace {

using ::testing::ElementsAre;

std::vector<int64_t> expand(opkit_host::TemplateSpan choice) {
  const opkit_host::TemplateValues values(choice);
  std::vector<int64_t> all;
  for (size_t i = 0; i < values.size(); ++i) all.push_back(values[i]);
  return all;
}

// Page "ASCENDC_TPL_FORMAT_DECL": the numbers of the host's formats.
static_assert(C_FORMAT_HWCN == ge::FORMAT_HWCN && C_FORMAT_NCDHW == ge::FORMAT_NCDHW);
static_assert(C_FORMAT_NDC1HWC0 == ge::FORMAT_NDC1HWC0 && C_FORMAT_ALL == ge::FORMAT_ALL);
static_assert(C_FORMAT_FRACTAL_Z_3D == ge::FORMAT_FRACTAL_Z_3D);

TEST(TemplateKey, ExpandsLists) {
  constexpr auto list = ASCENDC_TPL_UINT_SEL(A, ASCENDC_TPL_UI_LIST, 5, 3);
  constexpr auto ranges = ASCENDC_TPL_UINT_SEL(A, ASCENDC_TPL_UI_RANGE, 2, 0, 1, 4, 5);
  constexpr auto mixed = ASCENDC_TPL_UINT_SEL(A, ASCENDC_TPL_UI_MIX, 1, 2, 4, 9, 7, );
  constexpr auto cut = ASCENDC_TPL_UINT_SEL(A, ASCENDC_TPL_UI_RANGE, 9, 1, 2);
  EXPECT_THAT(expand(span_of(list)), ElementsAre(5, 3));
  EXPECT_THAT(expand(span_of(ranges)), ElementsAre(0, 1, 4, 5));
  EXPECT_THAT(expand(span_of(mixed)), ElementsAre(2, 3, 4, 9, 7));
  EXPECT_THAT(expand(span_of(cut)), ElementsAre(1, 2));
}

TEST(TemplateKey, PacksFromTheLowestBits) {
  // dtype 1 (8 bits), format 29 (8), place 2 of {0, 1, 7} (2), place 1 (8), bool 1 (1).
  EXPECT_EQ(GET_TPL_TILING_KEY(C_DT_FLOAT16, C_FORMAT_FRACTAL_NZ, ACT_GELU, 1, true),
            1u | 29u << 8 | 2u << 16 | 1u << 18 | 1u << 26);
}

// dtypes and formats of x, w, bias, y.
constexpr int64_t kHalf[] = {1, 1, 1, 1}, kFloat[] = {0, 0, 0, 0}, kNd[] = {2, 2, 2, 2};
constexpr auto kDeclared = opkit_host::span_of(opkit_template_arguments);
constexpr auto kSelected = opkit_host::span_of(opkit_template_selections);

TEST(TemplateKey, EnumeratesWhatIsSelectedForTheColumn) {
  constexpr opkit_host::TemplateColumn column = {kHalf, kNd, 3, 1};
  constexpr opkit_host::TemplateRows<opkit_host::count_rows(kDeclared, kSelected, column), 5> all(
      kDeclared, kSelected, column);
  static_assert(all.count == 2 * 2 * 2 * 2, "D_T_X is the type of input 0");
  std::set<uint64_t> keys;
  for (const auto& row : all.rows) {
    keys.insert(row.key);
    const int64_t* v = row.values;
    EXPECT_EQ(row.key, GET_TPL_TILING_KEY(v[0], v[1], v[2], v[3], v[4]));
    EXPECT_EQ(row.task_type, ASCENDC_TPL_MIX_AIC_1_2);
  }
  EXPECT_EQ(keys.size(), all.count);
}

TEST(TemplateKey, LeavesTheTaskTypeOpenWhereTheSelectionDoes) {
  constexpr opkit_host::TemplateColumn column = {kFloat, kNd, 3, 1};
  constexpr opkit_host::TemplateRows<opkit_host::count_rows(kDeclared, kSelected, column), 5> all(
      kDeclared, kSelected, column);
  static_assert(all.count == 1, "one combination for float");
  EXPECT_EQ(all.rows[0].task_type, -1);
  EXPECT_THAT(all.rows[0].values, ElementsAre(C_DT_FLOAT, C_FORMAT_ND, ACT_NONE, 200, 0));
}

TEST(TemplateKey, AParameterThatIsNotMentionedMayBeAnything) {
  constexpr auto declared = opkit_host::TemplateDeclaration{
      "K", ASCENDC_TPL_DATATYPE_DECL(T, ASCENDC_TPL_INPUT(0)),
      ASCENDC_TPL_FORMAT_DECL(F, ASCENDC_TPL_OUTPUT(0)), ASCENDC_TPL_BOOL_DECL(B, 0, 1)};
  constexpr auto selected = opkit_host::TemplateSelections{
      ASCENDC_TPL_ARGS_SEL(ASCENDC_TPL_KERNEL_TYPE_SEL(ASCENDC_TPL_AIV_ONLY),
                           ASCENDC_TPL_TILING_STRUCT_SEL(Data), ),
  };
  static constexpr int64_t dtypes[] = {27, 0}, formats[] = {2, 29};
  constexpr opkit_host::TemplateColumn column = {dtypes, formats, 1, 1};
  constexpr opkit_host::TemplateRows<count_rows(span_of(declared), span_of(selected), column), 3>
      all(span_of(declared), span_of(selected), column);
  static_assert(all.count == 2, "B is free, T and F are the tensors'");
  EXPECT_THAT(all.rows[0].values, ElementsAre(27, 29, 0));
  EXPECT_THAT(all.rows[1].values, ElementsAre(27, 29, 1));
  EXPECT_EQ(all.rows[1].key, pack_template_key(declared, selected, {27, 29, true}));
  EXPECT_EQ(all.rows[1].task_type, ASCENDC_TPL_AIV_ONLY);
}

TEST(TemplateKey, RefusesWhatIsNotSelected) {
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(GET_TPL_TILING_KEY(C_DT_FLOAT, C_FORMAT_ND, ACT_RELU, 200, 0), UINT64_MAX);
  EXPECT_EQ(GET_TPL_TILING_KEY(C_DT_FLOAT, C_FORMAT_ND), UINT64_MAX);
  EXPECT_EQ(GET_TPL_TILING_KEY(C_DT_FLOAT, C_FORMAT_ND, ACT_NONE, 77, 0), UINT64_MAX);
  const std::string words = ::testing::internal::GetCapturedStderr();
  EXPECT_THAT(words, ::testing::HasSubstr(
                         "OPK-HOST-010: template key of 'MatmulAct': no ASCENDC_TPL_ARGS_SEL has "
                         "(0, 2, 1, 200, 0); there are (D_T_X: 1; F_W: 2, 29; ACT: 1, 7; "
                         "TILES: 0, 1; HAS_BIAS: 0, 1), (D_T_X: 0; F_W: 2; ACT: 0; TILES: 200; "
                         "HAS_BIAS: 0)"));
  EXPECT_THAT(words, ::testing::HasSubstr("2 values for 5 parameters"));
  EXPECT_THAT(words, ::testing::HasSubstr("77 is not a declared value of 'TILES' (0, 1, 2, 5, 6, "
                                          "100, 200)"));
}

}  // namespace
}  // namespace opkit
