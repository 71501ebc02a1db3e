// ONNX bytes against thousands of mutants of good models.
#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>
#include <onnx/onnx_pb.h>

#include "mutator.h"
#include "opkit/rewrite/onnx/import.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace opkit::fuzz {
namespace {

const char* const kConv = R"(
ir_version: 8 opset_import { version: 13 } graph { name: "conv"
input { name: "x" type { tensor_type { elem_type: 1 shape { dim { dim_value: 1 } dim { dim_value: 2 }
  dim { dim_value: 4 } dim { dim_value: 4 } } } } }
output { name: "y" type { tensor_type { elem_type: 1 } } }
node { op_type: "Conv" input: "x" input: "w" output: "c" name: "first"
  attribute { name: "pads" type: INTS ints: 1 ints: 1 ints: 1 ints: 1 } }
node { op_type: "BatchNormalization" input: "c" input: "s" input: "s" input: "s" input: "s" output: "n" }
node { op_type: "Constant" output: "k" attribute { name: "value" type: TENSOR
  t { dims: 2 data_type: 7 int64_data: 1 int64_data: -1 } } }
node { op_type: "Reshape" input: "n" input: "k" output: "r" }
node { op_type: "Softmax" input: "r" output: "y" attribute { name: "axis" type: INT i: 1 } }
initializer { name: "w" dims: 1 dims: 2 dims: 1 dims: 1 data_type: 1 float_data: 1 float_data: 0.5 }
initializer { name: "s" dims: 1 data_type: 1 raw_data: "\000\000\200?" } })";

const char* const kSlices = R"(
ir_version: 3 opset_import { version: 9 } graph { name: "slices"
input { name: "x" type { tensor_type { elem_type: 10 shape { dim { dim_value: 3 } dim { dim_value: 6 } } } } }
output { name: "y" type { tensor_type { elem_type: 10 } } }
node { op_type: "Slice" input: "x" output: "a" attribute { name: "starts" type: INTS ints: 1 }
  attribute { name: "ends" type: INTS ints: 9223372036854775807 } }
node { op_type: "Split" input: "a" output: "b" output: "c" attribute { name: "axis" type: INT i: 1 } }
node { op_type: "Concat" input: "c" input: "b" output: "y" attribute { name: "axis" type: INT i: 0 } } })";

std::string bytes_of(const char* text) {
  onnx::ModelProto model;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &model));
  return model.SerializeAsString();
}

TEST(OnnxFuzz, SeedsAreAccepted) {
  for (const char* text : {kConv, kSlices}) {
    const auto graph = onnx_frontend::import_model(bytes_of(text));
    EXPECT_TRUE(graph.ok()) << graph.error().to_string();
  }
}

TEST(OnnxFuzz, MutantsNeverBreakAPromise) {
  Mutator mutator(12, {bytes_of(kConv), bytes_of(kSlices)},
                  {"\xff\xff\xff\xff\xff\xff\xff\xff\x7f", "\x08\x80\x80\x80\x80\x10", "Loop",
                   "Expand", "ConstantOfShape", "Tile", "Resize", "Pad", "Cast", "If", "x", "y"});
  for (int i = 0; i < 20000; ++i) {
    const std::string bytes = mutator.next();
    LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
  }
}

}  // namespace
}  // namespace opkit::fuzz
