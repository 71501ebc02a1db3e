#include "opkit/contract/column_choice.h"

#include <gmock/gmock.h>

namespace opkit {
namespace {

using testing::AllOf;
using testing::HasSubstr;

OpContract cast_of(const std::string& types) {
  const std::string text = R"(
op: Shift
version: "1.0.0"
inputs:
  x: {dtype: T, shape: "S..", format: ND}
  s: {dtype: U, shape: "S..", format: ND}
outputs:
  y: {dtype: T, shape: "S..", format: ND}
types: )" + types + R"(
reference:
  - {op: CastLike, in: [s, x], out: c}
  - {op: Add, in: [x, c], out: y}
soc: [Ascend910B]
)";
  auto contract = OpContract::parse(text, "op_contract.yaml");
  EXPECT_TRUE(contract.ok()) << contract.error().to_string();
  return std::move(contract).value();
}

OpContract three_columns() {
  return cast_of("{T: [float16, float32, float32], U: [int8, int8, int32]}");
}

Result<size_t> called(const OpContract& contract, const std::string& name) {
  return column_called(contract, name, "OPK-TEST-001", "say 0");
}

TEST(ColumnChoice, TakesNumbersNamesAndDtypesOfOneColumn) {
  const OpContract contract = three_columns();
  for (const std::string& name : {std::string("2"), contract.column_name(2), std::string("int32")})
    EXPECT_EQ(called(contract, name).value(), 2u) << name;
  EXPECT_EQ(called(contract, "float16").value(), 0u);
}

TEST(ColumnChoice, DoesNotChooseAmongColumnsOfOneDtype) {
  const auto none = called(three_columns(), "float32");
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().code, "OPK-TEST-001");
  EXPECT_THAT(none.error().message,
              AllOf(HasSubstr("'float32'"), HasSubstr("1 (T=float32, U=int8), 2 (")));
}

TEST(ColumnChoice, SuggestsTheNearestName) {
  EXPECT_EQ(called(three_columns(), "flaot16").error().action, "did you mean 'float16'?");
  EXPECT_EQ(called(three_columns(), "9").error().action, "say 0");
  EXPECT_EQ(called(three_columns(), "").error().action, "say 0");
}

}  // namespace
}  // namespace opkit
