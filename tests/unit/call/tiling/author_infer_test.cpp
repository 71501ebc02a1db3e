#include "opkit/call/tiling/author_infer.h"

#include <gmock/gmock.h>

#include "tests/unit/build/plugin/sample_plugin.h"

namespace opkit {
namespace {

using ::testing::HasSubstr;

OpCall scale_call(Shape shape) {
  OpCall call;
  call.op_type = "ScaleRelu";
  call.node_name = "s";
  call.inputs = ports_of({{"x", DType::kBFloat16, std::move(shape)}});
  call.inputs.push_back({"bias", {}});
  call.inputs.push_back({"extra", {}});
  call.outputs = ports_of({TensorDesc()});
  return call;
}

TEST(AuthorInfer, GivesShapeAndType) {
  const auto outputs = call_infer(sample_op("ScaleRelu"), scale_call(Shape{3, -1}));
  ASSERT_TRUE(outputs.ok()) << outputs.error().to_string();
  ASSERT_EQ(outputs->size(), 1u);
  EXPECT_EQ(outputs->front().shape, (Shape{3, -1}));
  EXPECT_EQ(outputs->front().dtype, DType::kBFloat16);
}

TEST(AuthorInfer, ReadsValues) {
  OpCall call = scale_call(Shape{3});
  const int64_t value[] = {9};
  call.inputs[2].tensors.push_back(TensorDesc{"extra", DType::kInt64, Shape{1}});
  EXPECT_EQ(call_infer(sample_op("ScaleRelu"), call)->front().shape, (Shape{3}));
  call.inputs[2].tensors[0].value = reinterpret_cast<const std::byte*>(value);
  EXPECT_EQ(call_infer(sample_op("ScaleRelu"), call)->front().shape, (Shape{3, 9}));
}

// Page "Follow": without InferShape a shape that is followed, also through another input, is that
// of the first one.
TEST(AuthorInfer, OutputsFollowInputs) {
  OpCall call = scale_call(Shape{3, -1});
  call.op_type = "FollowsInput";
  call.inputs.resize(2);
  call.outputs = ports_of({TensorDesc(), TensorDesc()});
  const auto outputs = call_infer(sample_op("FollowsInput"), call);
  ASSERT_TRUE(outputs.ok()) << outputs.error().to_string();
  ASSERT_EQ(outputs->size(), 2u);
  EXPECT_EQ((*outputs)[0].shape, (Shape{3, -1}));
  EXPECT_EQ((*outputs)[1].shape, (Shape{3, -1}));
  EXPECT_FALSE((*outputs)[0].dtype);  // not all types follow one
}

// Shows that the last one counts of a rule and a function for types.
TEST(AuthorInfer, TheLastRuleOfTypesCounts) {
  OpCall call = scale_call(Shape{3});
  const auto type = [&call](const char* op) {
    call.op_type = op;
    return call_infer(sample_op(op), call).value().front().dtype;
  };
  EXPECT_EQ(type("LastFunction"), DType::kBool);
  EXPECT_EQ(type("LastRule"), DType::kBFloat16);
}

TEST(AuthorInfer, IsEmptyWithoutFunctions) {
  const auto outputs = call_infer(sample_op("NothingRegistered"), scale_call(Shape{3}));
  ASSERT_TRUE(outputs.ok());
  EXPECT_FALSE(outputs->front().shape);
  EXPECT_FALSE(outputs->front().dtype);
}

TEST(AuthorInfer, CarriesTheAuthorsWords) {
  const auto outputs = call_infer(sample_op("ScaleRelu"), scale_call(Shape{}));
  ASSERT_FALSE(outputs.ok());
  EXPECT_EQ(outputs.error().code, "OPK-TILE-003");
  EXPECT_THAT(outputs.error().to_string(), HasSubstr("a scalar is not accepted"));
}

OpCall misbehaving(const char* how) {
  OpCall call = scale_call(Shape{3});
  call.op_type = "Misbehaves";
  call.attrs = {{"how", std::string(how)}};
  return call;
}

TEST(AuthorInfer, ReportsMistakes) {
  const opk_op_v1& op = sample_op("Misbehaves");
  EXPECT_EQ(call_infer(op, misbehaving("throws")).error().code, "OPK-TILE-004");
  const Error negative = call_infer(op, misbehaving("negative")).error();
  EXPECT_EQ(negative.code, "OPK-TILE-021");
  EXPECT_THAT(negative.message, HasSubstr("output 0"));
  const Error untyped = call_infer(op, misbehaving("no_dtype")).error();
  EXPECT_EQ(untyped.code, "OPK-TILE-022");
  EXPECT_THAT(untyped.message, HasSubstr("output 0"));
}

// Public ops register such functions; that is no claim that the output is a scalar.
TEST(AuthorInfer, AFunctionThatAsksForNoOutputSaysNothing) {
  const opk_op_v1& op = sample_op("Misbehaves");
  const auto outputs = call_infer(op, misbehaving("says_nothing"));
  ASSERT_TRUE(outputs.ok()) << outputs.error().to_string();
  EXPECT_FALSE(outputs->front().shape);
  EXPECT_EQ(outputs->front().dtype, DType::kFloat32);
  EXPECT_TRUE(cross_check(op, *outputs, {{"y", DType::kFloat32, Shape{9}}}).ok());
}

TEST(AuthorInfer, DoesNotTrustTheRank) {
  opk_op_v1 op{};
  op.struct_size = sizeof op;
  op.type = "Foreign";
  op.infer_shape = [](const opk_call_v1*, opk_inferred_v1* const* outputs) -> int32_t {
    outputs[0]->rank = 1000;
    return OPK_OK;
  };
  EXPECT_EQ(call_infer(op, scale_call(Shape{1})).error().code, "OPK-TILE-021");
}

TEST(CrossCheck, ComparesWithWhatIsExpected) {
  const opk_op_v1& op = sample_op("ScaleRelu");
  const std::vector<AuthorOutput> author = {{Shape{3, 4}, DType::kFloat16}};
  EXPECT_TRUE(cross_check(op, author, {{"y", DType::kFloat16, Shape{3, 4}}}).ok());
  EXPECT_TRUE(cross_check(op, author, {{"y", DType::kFloat16, Shape{3, -1}}}).ok());
  EXPECT_TRUE(cross_check(op, author, {{"y", DType::kFloat16, Shape::unknown_rank()}}).ok());
  EXPECT_TRUE(cross_check(op, {{}}, {{"y", DType::kFloat16, Shape{3}}}).ok());
  Status shape = cross_check(op, author, {{"y", DType::kFloat16, Shape{3, 5}}});
  ASSERT_FALSE(shape.ok());
  EXPECT_EQ(shape.error().code, "OPK-TILE-023");
  EXPECT_EQ(shape.error().message, "output 'y': InferShape says [3, 4], the contract says [3, 5]");
  EXPECT_FALSE(cross_check(op, author, {{"y", DType::kFloat16, Shape{3}}}).ok());
  EXPECT_FALSE(cross_check(op, {{Shape{-1, 4}, {}}}, {{"y", DType::kFloat16, Shape{3, 4}}}).ok());
  EXPECT_FALSE(cross_check(op, author, {{"y", DType::kFloat32, Shape{3, 4}}}).ok());
  EXPECT_FALSE(cross_check(op, author, {}).ok());
}

}  // namespace
}  // namespace opkit
