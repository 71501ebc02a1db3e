#include "opkit/call/declared/declaration.h"

#include <gmock/gmock.h>

#include "tests/unit/build/plugin/sample_plugin.h"

namespace opkit {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// What the OpDef of AddCustom (tests/unit/build/plugin/sample) says: its three columns and the one
// that Ascend910B has for itself, each with both types of `index`.
constexpr const char* kContract = R"(op: AddCustom
version: "1.0.0"
inputs:
  x: {dtype: T, shape: "S..", format: ND}
  "y": {dtype: T, shape: "S..", format: ND, presence: optional}
  index: {dtype: I, shape: "K", format: ND, presence: dynamic, value_depend: true}
outputs:
  z: {dtype: T, shape: "S..", format: ND}
types:
  T: [float16, float32, int32, float16, float32, int32, bfloat16, bfloat16]
  I: [int32, int32, int32, int64, int64, int64, int32, int64]
attrs:
  alpha: {type: float, default: 1.5}
  axes: {type: list_int, default: [0, 1]}
  mode: {type: string}
reference: {none: "only the declaration is of interest"}
soc: [Ascend310B, Ascend910B1]
)";

Errors check(const std::string& from = "", const std::string& to = "",
             const char* type = "AddCustom") {
  std::string text = kContract;
  if (!from.empty()) {
    const size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
  }
  const auto contract = OpContract::parse(text, "op_contract.yaml");
  EXPECT_TRUE(contract.ok()) << contract.error().to_string();
  if (!contract.ok()) return {};
  return check_declaration(*sample_op(type).declared, contract.value());
}

TEST(Declaration, AgreesWithItsContract) { EXPECT_THAT(check(), IsEmpty()); }

TEST(Declaration, DiffersInOnePlace) {
  struct Case {
    const char *from, *to, *code, *words;
  };
  const Case kCases[] = {
      {"  x: {", "  x1: {", "OPK-DECL-002", "input 1 is 'x1' in the contract and 'x' in the OpDef"},
      {"\"y\": {dtype: T, shape: \"S..\", format: ND, presence: optional}",
       "\"y\": {dtype: T, shape: \"S..\", format: ND}", "OPK-DECL-002", "ParamType(OPTIONAL)"},
      {", value_depend: true", "", "OPK-DECL-002", "the OpDef sets ValueDepend for 'index'"},
      {"alpha: {type: float, default: 1.5}", "alpha: {type: float, default: 1.25}", "OPK-DECL-004",
       "'alpha' is by default 1.25"},
      {"alpha: {type: float, default: 1.5}", "alpha: {type: float}", "OPK-DECL-004",
       "'alpha' is required in the contract and OPTIONAL"},
      {"default: [0, 1]", "default: [0]", "OPK-DECL-004", "'axes' is by default [0]"},
      {"mode: {type: string}", "mode: {type: int}", "OPK-DECL-004",
       "'mode' is int in the contract and string in the OpDef"},
      {"  mode: {type: string}\n", "", "OPK-DECL-004", "the OpDef has the attribute 'mode'"},
      {"  mode:", "  manner:", "OPK-DECL-004", "attribute 3 is 'manner'"},
      {"[Ascend310B, Ascend910B1]", "[Ascend910B]", "OPK-DECL-005", "AddConfig(\"ascend310b\")"},
      {"[Ascend310B, ", "[Ascend310B, Ascend310P, ", "OPK-DECL-005", "lists ascend310p"},
  };
  for (const Case& c : kCases) {
    const Errors errors = check(c.from, c.to);
    ASSERT_THAT(errors, SizeIs(1)) << c.to;
    EXPECT_EQ(errors[0].code, c.code);
    EXPECT_THAT(errors[0].message, HasSubstr(c.words));
    EXPECT_EQ(errors[0].op, "AddCustom");
    EXPECT_EQ(errors[0].where.file, "op_contract.yaml");
    EXPECT_FALSE(errors[0].action.empty());
  }
}

TEST(Declaration, DiffersInAColumn) {
  const Errors errors =
      check("[float16, float32, int32, float16, float32, int32, bfloat16, bfloat16]",
            "[float16, float32, int32, float16, float32, int8, bfloat16, bfloat16]");
  ASSERT_THAT(errors, SizeIs(2));
  EXPECT_EQ(errors[0].code, "OPK-DECL-003");
  EXPECT_EQ(
      errors[0].message,
      "the contract has the combination (x int8 ND, y int8 ND, index int64 ND, z int8 ND), the "
      "OpDef has not");
  EXPECT_THAT(errors[1].message, HasSubstr("the OpDef has the combination (x int32 ND"));
}

TEST(Declaration, LacksAPort) {
  const Errors errors =
      check("outputs:\n", "outputs:\n  w: {dtype: T, shape: \"S..\", format: ND}\n");
  ASSERT_THAT(errors, SizeIs(1));
  EXPECT_EQ(errors[0].code, "OPK-DECL-002");
  EXPECT_THAT(errors[0].message, HasSubstr("'w' in the contract and 'z' in the OpDef"));
}

TEST(Declaration, DoesNotRestrictSocsOnItsOwn) {
  EXPECT_THAT(check("soc: [Ascend310B, Ascend910B1]\n", ""), IsEmpty());
}

TEST(Declaration, IsUseless) {
  const Errors errors = check("", "", "FollowsNobody");
  ASSERT_THAT(errors, SizeIs(1));
  EXPECT_EQ(errors[0].code, "OPK-DECL-001");
  EXPECT_THAT(errors[0].message, HasSubstr("'y' follows 'z'"));
}

}  // namespace
}  // namespace opkit
