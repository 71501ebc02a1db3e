// Files and flags of atc against thousands of mutants of good ones.
#include <gtest/gtest.h>

#include "atc_files.h"
#include "mutator.h"

namespace opkit::fuzz {
namespace {

struct Case {
  AtcFile file;
  std::string name;
  std::vector<std::string> seeds, dictionary;
};

Case aipp_case() {
  return {AtcFile::kAipp,
          "aipp",
          {"aipp_op {\n  aipp_mode: static\n  related_input_rank: 0\n  input_format: RGB888_U8\n"
           "  src_image_size_w: 8\n  src_image_size_h: 8\n  mean_chn_0: 104\n"
           "  var_reci_chn_0: 0.0039\n}\n",
           "aipp_op {\n  aipp_mode: static\n  input_format: YUV420SP_U8\n  src_image_size_w: 16\n"
           "  src_image_size_h: 16\n  crop: true\n  load_start_pos_w: 2\n  load_start_pos_h: 4\n"
           "  crop_size_w: 6\n  crop_size_h: 6\n  padding: true\n  left_padding_size: 1\n"
           "  right_padding_size: 1\n  top_padding_size: 1\n  bottom_padding_size: 1\n"
           "  csc_switch: true\n  matrix_r0c0: 256\n  rbuv_swap_switch: true\n}\n"},
          {"-1", "0", "9223372036854775807", "1e999", "nan", "{", "}", "# x", "true", "dynamic",
           "XRGB8888_U8", "YUV400_U8", "related_input_rank: 1", "related_input_name: \"m\"",
           "crop_size_w: 2147483647", "aipp_op {", "padding: true", "\""}};
}

Case kept_case() {
  return {AtcFile::kKept,
          "kept",
          {"first\nsecond\n", "OpType::Softmax\r\nfirst\n\nOpType::Relu"},
          {"OpType::", "second", "\r", "\n\n", " ", std::string(1, '\0'), "\xff", "n"}};
}

Case switches_case() {
  return {AtcFile::kSwitches,
          "switches",
          {"AddRelu:off\nConvRelu : on\n",
           R"({"Switch": {"GraphFusion": {"ALL": "off", "AddRelu": "on"}, "UBFusion": {}}})"},
          {"ALL", "{", "}", "[[[[[[[[", "null", "\"on\"", ":", "off", "\\u0000", "1e999"}};
}

Case gears_case() {
  return {AtcFile::kGears,
          "gears",
          {"x:-1,3,8,8\n\n1,2,4\n\n", "x:1,3,-1,-1;y:1,4,-1,-1\nNCHW\n\n8,8;9,12\n\n",
           "x:-1,-1;y:7,-1\nND\n\n\n1,2,3;4,5,6\n", "x:1~3,5;y:2~9\n\n\n\n\n"},
          {"-1", "~", "9223372036854775807", "0", ";", ":", ",", "1~", "-9223372036854775808",
           "x:", " ", "1~100"}};
}

Case single_ops_case() {
  return {AtcFile::kSingleOps,
          "single_ops",
          {R"([{"op": "Add", "input_desc": [{"format": "ND", "shape": [2, 3], "type": "float"},
{"format": "NCHW", "shape": [2], "type": "int32", "is_const": true, "const_value": [3, -4]},
{"format": "RESERVED", "type": "RESERVED"}],
"output_desc": [{"format": "ND", "shape": [], "type": "float16"}],
"attr": [{"name": "axis", "type": "int", "value": -1},
{"name": "l", "type": "list_float", "value": [0.5, 2]}]}, {"op": "Neg", "name": "n"}])",
           R"({"op": "Add", "input_desc": [], "output_desc": [], "compile_flag": 1})"},
          {"[", "]", "-1", "9223372036854775807", "null", "\"is_const\": true,", "\"a/b\"", "{}",
           "\"data_type\"", "1e999", "\"FRACTAL_NZ\"", "true", "\"Neg\"", ","}};
}

Case interface_case() {
  return {AtcFile::kInterface,
          "interface",
          {"first:0;n\nFP16\nx\n", "second\nsecond:0:UINT8\nx;m\n", "\nn:0:INT8;s:FP16\n\n"},
          {":", ";", "first", ":0", ":1", "-1", "FP32", "x", "m", "9223372036854775807", "\n"}};
}

class AtcFiles : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(All, AtcFiles,
                         testing::Values(aipp_case(), kept_case(), switches_case(), gears_case(),
                                         single_ops_case(), interface_case()),
                         [](const auto& info) { return info.param.name; });

TEST_P(AtcFiles, TakeTheSeeds) {
  for (const std::string& seed : GetParam().seeds)
    EXPECT_TRUE(accepts(GetParam().file, seed)) << seed;
}

TEST_P(AtcFiles, KeepTheirPromisesForEveryMutant) {
  constexpr int kMutants = 6000;
  Mutator mutator(20261123, GetParam().seeds, GetParam().dictionary);
  int accepted = 0;
  for (int i = 0; i < kMutants; ++i) accepted += accepts(GetParam().file, mutator.next());
  EXPECT_GT(accepted, kMutants / 200) << "mutants all refused early test little";
  EXPECT_LT(accepted, kMutants) << "nothing was refused";
}

}  // namespace
}  // namespace opkit::fuzz
