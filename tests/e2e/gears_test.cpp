// Models with gears: from atc to `opkit model run` and to a program, beside the same model compiled
// for one shape. On the packages that `make ops` installed where there are any, else on the host.

#include "npy.h"
#include "onnx_writer.h"
#include "opkit_test_paths.h"
#include "run_opkit.h"

namespace opkit::e2e {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

// Convolutions with a normalization and a shortcut, pools, a linear end.
std::string net() {
  OnnxWriter net;
  net.input("x", {-1, 3, -1, -1});
  net.constant("w0", {16, 3, 3, 3}, sixteenths(16 * 27, 1));
  net.constant("w1", {16, 16, 3, 3}, sixteenths(16 * 144, 2));
  for (const char* name : {"scale", "shift", "mean"}) net.constant(name, {16}, sixteenths(16, 3));
  net.constant("variance", {16}, std::vector<float>(16, 0.75f));
  net.constant("w2", {16, 10}, sixteenths(160, 5));
  net.constant("b2", {10}, sixteenths(10, 6));
  net.node("Conv", {"x", "w0"}, "c0", "pads", {1, 1, 1, 1});
  net.node("BatchNormalization", {"c0", "scale", "shift", "mean", "variance"}, "n0");
  net.node("Relu", {"n0"}, "r0");
  net.node("MaxPool", {"r0"}, "p0", "kernel_shape", {2, 2});
  net.node("Conv", {"p0", "w1"}, "c1", "pads", {1, 1, 1, 1});
  net.node("Add", {"c1", "p0"}, "a");
  net.node("Relu", {"a"}, "r1");
  net.node("GlobalAveragePool", {"r1"}, "g");
  net.node("Flatten", {"g"}, "f");
  net.node("Gemm", {"f", "w2", "b2"}, "l");
  net.node("Softmax", {"l"}, "y");
  net.output("y", {-1, 10});
  return net.model();
}

struct Case {
  std::string kind;
  std::vector<std::string> flags;
  std::vector<std::string> shapes;  // hold the dims of each gear
};

class Gears : public OpkitTest {
 protected:
  void SetUp() override {
    OpkitTest::SetUp();
    use_shipped("Conv");
    write("net.onnx", net());
  }

  std::vector<std::string> atc(const std::string& output, std::vector<std::string> more) const {
    std::vector<std::string> words = {"atc", "--model=net.onnx", "--framework=5",
                                      "--output=" + output, "--soc_version=Ascend910B1"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  std::string refused(const std::vector<std::string>& more) {
    const Shown shown = opkit(atc("none", more));
    EXPECT_NE(shown.exit_code, 0);
    EXPECT_FALSE(fs::exists(path("none.om")));
    return shown.err;
  }
  void compile(const Case& test) {
    const auto made = opkit_json(atc("geared", test.flags));
    ASSERT_EQ(made["gears"].size(), test.shapes.size());
    for (size_t g = 0; g < test.shapes.size(); ++g) {
      const Shown fixed = opkit(atc(fixed_name(g), {"--input_shape=x:" + test.shapes[g]}));
      ASSERT_EQ(fixed.exit_code, 0) << fixed.err;
    }
  }
  static std::string fixed_name(size_t gear) { return "fixed" + std::to_string(gear); }

  // "3,3,12,10" to an array of so many numbers.
  void write_input(const std::string& shape) const {
    size_t count = 1, start = 0;
    while (start < shape.size()) {
      count *= std::stoul(shape.substr(start));
      start = std::min(shape.find(',', start), shape.size() - 1) + 1;
    }
    write("x.npy", float_npy(sixteenths(count, 9), shape));
  }
  nlohmann::json run(const std::string& model, const std::string& output) {
    return opkit_json(
        {"model", "run", model + ".om", "--input", "x=x.npy", "--out", "y=" + output});
  }

  void expect_same_results(const Case& test) {
    for (size_t g = 0; g < test.shapes.size(); ++g) {
      write_input(test.shapes[g]);
      const auto ran = run("geared", "geared.npy");
      EXPECT_TRUE(ran.contains("gear"));
      run(fixed_name(g), "fixed.npy");
      EXPECT_EQ(read("geared.npy"), read("fixed.npy")) << test.kind << " " << test.shapes[g];
      EXPECT_NE(floats_of(read("fixed.npy")), std::vector<float>());
    }
    write_input("7,3,7,7");
    const Shown other = opkit({"model", "run", "geared.om", "--input", "x=x.npy"});
    EXPECT_THAT(other.err, HasSubstr("OPK-OM-007"));
    EXPECT_THAT(other.err, HasSubstr("no gear of the model takes inputs of [7, 3, 7, 7]"));
  }

  // One copy of what all gears need.
  void expect_weights_once() {
    const auto geared = opkit_json({"om", "show", "geared.om"});
    const auto fixed = opkit_json({"om", "show", "fixed0.om"});
    EXPECT_EQ(geared["weights_in_file"], fixed["weights_in_file"]);
    EXPECT_THAT(opkit({"om", "show", "geared.om"}).out, HasSubstr("gear 1 of "));
    EXPECT_THAT(opkit({"atc", "--mode=6", "--om=geared.om"}).out, HasSubstr("soc_version"));
  }

  void expect_program_agrees(const Case& test) {
    std::vector<std::string> words = {path("gears").string(), test.kind, "geared.om"};
    for (size_t g = 0; g < test.shapes.size(); ++g) words.push_back(fixed_name(g) + ".om");
    const Shown shown = run_program(words, folder_, variables_);
    EXPECT_EQ(shown.exit_code, 0) << test.kind << ": " << shown.out << shown.err;
    EXPECT_THAT(shown.out, HasSubstr(test.kind + ": 0 wrong of " +
                                     std::to_string(2 * test.shapes.size()) + ", "));
  }

  void judge(const Case& test) {
    compile(test);
    expect_same_results(test);
    expect_weights_once();
    expect_program_agrees(test);
  }
};

TEST_F(Gears, GiveWhatAModelOfOneShapeGives) {
  fs::copy(fs::path(OPKIT_SOURCE_DIR) / "tests/e2e/programs", path("src"));
  ASSERT_EQ(opkit({"cc", "src/gears_main.cpp", "-o", "gears"}).exit_code, 0);
  judge({"batch",
         {"--input_shape=x:-1,3,8,8", "--dynamic_batch_size=1,3,4"},
         {"1,3,8,8", "3,3,8,8", "4,3,8,8"}});
  judge({"image",
         {"--input_shape=x:1,3,-1,-1", "--dynamic_image_size=8,8;12,10", "--input_format=NCHW"},
         {"1,3,8,8", "1,3,12,10"}});
  judge({"dims",
         {"--input_shape=x:-1,3,-1,8", "--dynamic_dims=1,8;3,12", "--input_format=ND"},
         {"1,3,8,8", "3,3,12,8"}});
  judge({"shapes", {"--input_shape=x:1~2,3,8,8"}, {"1,3,8,8", "2,3,8,8"}});
}

// Leaves out inputs' files, so that nobody says the dims; the gear that is taken is told.
TEST_F(Gears, AreChosenAndToldWhereModelsAreMeasured) {
  const Shown made = opkit(atc("m", {"--input_shape=x:-1,3,8,8", "--dynamic_batch_size=1,3,4"}));
  ASSERT_EQ(made.exit_code, 0) << made.err;
  write_input("4,3,8,8");
  const std::vector<std::string> kMeasures[] = {{"model", "bench", "m.om", "--samples", "1"},
                                                {"model", "profile", "m.om"}};
  for (const std::vector<std::string>& measure : kMeasures) {
    const auto with = [&](std::vector<std::string> more) {
      more.insert(more.begin(), measure.begin(), measure.end());
      return more;
    };
    EXPECT_EQ(opkit_json(with({}))["gear"], nlohmann::json({1}));
    EXPECT_EQ(opkit_json(with({"--gear", "3"}))["gear"], nlohmann::json({3}));
    EXPECT_EQ(opkit_json(with({"--input", "x=x.npy"}))["gear"], nlohmann::json({4}));
    EXPECT_THAT(opkit(with({"--gear", "3"})).out, HasSubstr("Ascend910B1, gear 3"));
    EXPECT_THAT(opkit(with({"--gear", "2"})).err,
                HasSubstr("OPK-CLI-004: --gear is '2'; the model's gears are 1; 3; 4"));
    EXPECT_THAT(opkit(with({"--gear", "3", "--input", "x=x.npy"})).err,
                HasSubstr("--gear is '3', whose input 'x' is [3, 3, 8, 8]; the file has "
                          "[4, 3, 8, 8]"));
  }
  ASSERT_EQ(opkit(atc("one", {"--input_shape=x:1,3,8,8"})).exit_code, 0);
  EXPECT_THAT(opkit({"model", "bench", "one.om", "--gear", "1"}).err,
              HasSubstr("the model has no gears"));
}

TEST_F(Gears, ReportPerGear) {
  const Shown made = opkit(atc("m", {"--input_shape=x:-1,3,8,8", "--dynamic_batch_size=1,2",
                                     "--explain", "--fusion_result=f.json", "--picture=p"}));
  ASSERT_EQ(made.exit_code, 0) << made.err;
  EXPECT_THAT(made.out, testing::AllOf(HasSubstr("gear 1\n"), HasSubstr("gear 2\n"),
                                       HasSubstr("2 gears (batch): 1; 2; they share")));
  EXPECT_THAT(read("f.json"), HasSubstr("0_1"));
  EXPECT_THAT(read("p_1_after.dot"), HasSubstr("digraph"));
  EXPECT_THAT(opkit({"om", "show", "m.om", "--json"}).out, HasSubstr("--dynamic_batch_size=1,2"));
}

TEST_F(Gears, AreRefusedWithAReason) {
  EXPECT_THAT(refused({"--input_shape=x:-1,3,8,8"}), HasSubstr("E10001"));
  EXPECT_THAT(refused({"--dynamic_batch_size=1,2"}), HasSubstr("no dim of --input_shape is -1"));
  EXPECT_THAT(refused({"--input_shape=x:-1,3,8,8", "--dynamic_batch_size=1,2",
                       "--dynamic_image_size=8,8;9,9"}),
              HasSubstr("may not be given together"));
  EXPECT_THAT(opkit({"atc", "--model=net.onnx", "--framework=5", "--output=none",
                     "--soc_version=Ascend310B1", "--input_shape=x:1~2,3,8,8"})
                  .err,
              HasSubstr("Ascend310B1 takes no ranges"));
  EXPECT_THAT(refused({"--input_shape=x:1~200,3,8,8"}), HasSubstr("more than 100 shapes"));
  EXPECT_THAT(refused({"--input_shape=x:1~2,3,8,8", "--insert_op_conf=aipp.cfg"}),
              HasSubstr("AIPP excludes --dynamic_dims"));
  EXPECT_THAT(refused({"--input_shape=x:1~2,3,8,8", "--calibration=x=x.npy"}),
              HasSubstr("calibrate a compilation for one shape"));
  // A gear that the model cannot have is named.
  EXPECT_THAT(refused({"--input_shape=x:1,-1,8,8", "--dynamic_dims=3;4", "--input_format=ND"}),
              HasSubstr("gear 4"));
}

}  // namespace
}  // namespace opkit::e2e
