// atc --singleop: models of one operator, on shipped ops, and programs that load them.
#include "npy.h"
#include "opkit_test_paths.h"
#include "run_opkit.h"

namespace opkit::e2e {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

constexpr const char* kAdd = R"({"op": "Add",
    "input_desc": [{"format": "ND", "shape": [2, 3], "type": "float"},
                   {"format": "ND", "shape": [2, 3], "type": "float"}],
    "output_desc": [{"format": "ND", "shape": [2, 3], "type": "float"}]})";

class SingleOps : public OpkitTest {
 protected:
  void SetUp() override {
    OpkitTest::SetUp();
    if (!take_shipped({"Add", "Concat", "Conv"}))
      GTEST_SKIP() << "no packages: run `make ops` first";
    variables_["ASCEND_OPP_PATH"] = path("opp").string();
  }
  Shown atc(const std::string& json, std::vector<std::string> more = {}) {
    write("ops.json", json);
    more.insert(more.begin(), {"atc", "--singleop=ops.json", "--soc_version=Ascend910B1"});
    if (more.back().find("--output") == std::string::npos) more.push_back("--output=models");
    return opkit(more);
  }
  std::string told(const std::string& json, std::vector<std::string> more = {}) {
    const Shown shown = atc(json, std::move(more));
    EXPECT_NE(shown.exit_code, 0) << json;
    EXPECT_THAT(shown.out, HasSubstr("ATC run failed"));
    EXPECT_FALSE(fs::exists(path("models"))) << json;
    return shown.err;
  }
};

TEST_F(SingleOps, BecomeModelsThatRun) {
  const Shown made = atc(std::string("[") + kAdd + R"(, {"op": "Concat", "name": "rows",
    "input_desc": [{"format": "ND", "shape": [1, 3], "type": "float"},
                   {"format": "ND", "shape": [2, 3], "type": "float", "is_const": true,
                    "const_value": [[7, 8, 9], [10, 11, 12]]}],
    "output_desc": [{"format": "ND", "shape": [3, 3], "type": "float"}],
    "attr": [{"name": "axis", "type": "int", "value": 0}]}])");
  ASSERT_EQ(made.exit_code, 0) << made.err;
  EXPECT_THAT(made.out, AllOf(HasSubstr("models/0_Add_0_2_2_3_0_2_2_3_0_2_2_3.om: Add "),
                              HasSubstr("models/rows.om: Concat "),
                              HasSubstr("ATC run success, welcome to the next use.\n")));
  write("x.npy", float_npy({1, 2, 3, 4, 5, 6}, "2, 3"));
  write("y.npy", float_npy({10, 20, 30, 40, 50, 60}, "2, 3"));
  opkit_json({"model", "run", "models/0_Add_0_2_2_3_0_2_2_3_0_2_2_3.om", "--input", "x=x.npy",
              "--input", "y=y.npy", "--out", "z=z.npy"});
  EXPECT_EQ(read("z.npy"), float_npy({11, 22, 33, 44, 55, 66}, "2, 3"));
  const auto shown = opkit_json({"om", "show", "models/rows.om"});
  ASSERT_EQ(shown["inputs"].size(), 1u) << "the other one is a constant";
  const std::string input = shown["inputs"][0]["name"], output = shown["outputs"][0]["name"];
  write("row.npy", float_npy({1, 2, 3}, "1, 3"));
  opkit_json({"model", "run", "models/rows.om", "--input", input + "=row.npy", "--out",
              output + "=rows.npy"});
  EXPECT_EQ(read("rows.npy"), float_npy({1, 2, 3, 7, 8, 9, 10, 11, 12}, "3, 3"));
  const auto json =
      opkit_json({"atc", "--singleop=ops.json", "--soc_version=Ascend310B1", "--output=models"});
  EXPECT_EQ(json["models"][1]["op"], "Concat");
  EXPECT_GT(json["models"][0]["modelled_ns"], 0);
}

TEST_F(SingleOps, OfNdTakeImagesOfNchw) {
  const Shown made = atc(R"({"op": "Conv", "name": "conv",
    "input_desc": [{"format": "NCHW", "shape": [1, 1, 3, 3], "type": "float"},
                   {"format": "NCHW", "shape": [1, 1, 2, 2], "type": "float", "is_const": true,
                    "const_value": [1, 1, 1, 1]},
                   {"format": "RESERVED", "type": "RESERVED"}],
    "output_desc": [{"format": "NCHW", "shape": [1, 1, 2, 2], "type": "float"}]})");
  ASSERT_EQ(made.exit_code, 0) << made.err;
  const auto shown = opkit_json({"om", "show", "models/conv.om"});
  write("x.npy", float_npy({1, 2, 3, 4, 5, 6, 7, 8, 9}, "1, 1, 3, 3"));
  const std::string input = shown["inputs"][0]["name"], output = shown["outputs"][0]["name"];
  opkit_json(
      {"model", "run", "models/conv.om", "--input", input + "=x.npy", "--out", output + "=y.npy"});
  EXPECT_EQ(read("y.npy"), float_npy({12, 16, 24, 28}, "1, 1, 2, 2"));
}

TEST_F(SingleOps, AreRefusedWithAReason) {
  const auto edited = [](const std::string& from, const std::string& to) {
    std::string text = kAdd;
    return text.replace(text.rfind(from), from.size(), to);
  };
  EXPECT_THAT(told(edited("Add", "Adn")),
              AllOf(HasSubstr("ops.json:1:1: error OPK-"), HasSubstr("did you mean 'Add'?")));
  EXPECT_THAT(told(edited("[2, 3]", "[2, 4]")),
              AllOf(HasSubstr("ops.json:1:1: error E10001"),
                    HasSubstr("output 'z' is stated as float32[2, 4], the op gives float32[2, 3]"),
                    HasSubstr("try: correct output_desc")));
  EXPECT_THAT(told(R"({"op": "Add", "input_desc": [{"format": "ND", "shape": [2], "type": "float"}],
                       "output_desc": []})"),
              HasSubstr("Add has 2 inputs, 1 are given"));
  EXPECT_THAT(told(R"({"op": "Add", "input_desc": [{"format": "ND", "shape": [2], "type": "float"},
               {"format": "RESERVED", "type": "RESERVED"}], "output_desc": []})"),
              HasSubstr("input 'y' is not optional"));
  EXPECT_THAT(told(R"({"op": "Add", "input_desc": [{"format": "ND", "shape": [2], "type": "float"},
               {"format": "ND", "shape": [2], "type": "float"}], "output_desc": []})"),
              HasSubstr("Add gives 1 tensors, 0 are stated"));
  EXPECT_THAT(told(kAdd, {"--model=m.onnx"}),
              HasSubstr("it is for models, and --singleop compiles single operators"));
  EXPECT_THAT(told(kAdd, {"--output=ops.json"}), HasSubstr("it is a file"));
  EXPECT_THAT(opkit({"atc", "--singleop=ops.json", "--output=models"}).err,
              HasSubstr("parameter [--soc_version] is missing"));
}

TEST_F(SingleOps, AreLoadedByPrograms) {
  ASSERT_EQ(atc(kAdd).exit_code, 0);
  write("wrong/a.om", "no model");
  ASSERT_EQ(opkit({"atc",
                   "--model=/usr/share/libonnx-testdata/data/simple/test_single_relu_model/"
                   "model.onnx",
                   "--framework=5", "--output=relu", "--soc_version=Ascend910B1"})
                .exit_code,
            0);
  fs::copy(fs::path(OPKIT_SOURCE_DIR) / "tests/e2e/programs", path("src"));
  ASSERT_EQ(opkit({"cc", "src/single_op_main.cpp", "-o", "single"}).exit_code, 0);
  const Shown shown = run_program({path("single").string(), "models",
                                   "models/0_Add_0_2_2_3_0_2_2_3_0_2_2_3.om", "wrong", "relu.om"},
                                  folder_, variables_);
  EXPECT_EQ(shown.exit_code, 0) << shown.err;
  EXPECT_THAT(shown.out, HasSubstr("0 wrong, 4 misuses"));
}

}  // namespace
}  // namespace opkit::e2e
