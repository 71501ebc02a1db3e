// opkit model export: projects that are built in a bare folder and beside the emulated chip.
#include <algorithm>
#include <cmath>

#include "classifier_net.h"
#include "encoder_net.h"
#include "npy.h"
#include "run_opkit.h"

namespace opkit::e2e {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class ExportedModel : public OpkitTest {
 protected:
  void compile(const std::string& model, const std::vector<std::string>& more = {},
               const std::string& chip = "Ascend310B1") {
    write("net.onnx", model);
    std::vector<std::string> words = {"atc", "--model=net.onnx", "--framework=5", "--output=net",
                                      "--soc_version=" + chip};
    words.insert(words.end(), more.begin(), more.end());
    const Shown made = opkit(words);
    ASSERT_EQ(made.exit_code, 0) << made.out << made.err;
  }

  // Builds the project where nothing of opkit is near.
  void build() {
    const auto exported = opkit_json({"model", "export", "net.om", "--output", "bare/net"});
    EXPECT_GT(exported["calls"], 0);
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"cmake", "-S", "net", "-B", "build",
                                   "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Werror"},
          std::vector<std::string>{"cmake", "--build", "build"}}) {
      const Shown shown = run_program(words, path("bare"));
      ASSERT_EQ(shown.exit_code, 0) << shown.out << shown.err;
    }
  }

  static bool has_onednn() { return fs::exists("/usr/include/oneapi/dnnl/dnnl.hpp"); }

  // Runs the chip and the project on the same file: on oneDNN, where it is there, and by loops.
  void run(const std::string& input, const std::string& output) {
    const Shown chip = opkit(
        {"model", "run", "net.om", "--input", input + "=x.npy", "--out", output + "=chip.npy"});
    ASSERT_EQ(chip.exit_code, 0) << chip.err;
    for (const std::string file : {"cpu.npy", "loops.npy"}) {
      std::vector<std::string> words = {path("bare/build/model").string(), "--input",
                                        input + "=x.npy", "--output", output + "=" + file};
      if (file == "loops.npy") words.push_back("--loops");
      const Shown project = run_program(words, folder_);
      ASSERT_EQ(project.exit_code, 0) << project.err;
    }
  }

  // The larger distance of the two from the chip.
  double distance() const { return std::max(distance("cpu.npy"), distance("loops.npy")); }

  // The largest difference, as a share of the largest value.
  double distance(const std::string& file) const {
    const std::vector<float> a = floats_of(read("chip.npy")), b = floats_of(read(file));
    EXPECT_FALSE(a.empty());
    EXPECT_EQ(a.size(), b.size());
    if (a.empty() || a.size() != b.size()) return INFINITY;
    double most = 0, off = 0;
    for (size_t i = 0; i < a.size(); ++i) {
      most = std::max(most, std::abs(static_cast<double>(a[i])));
      off = std::max(off, std::abs(static_cast<double>(a[i]) - b[i]));
    }
    return off / most;
  }
};

// Every sum of products is rounded otherwise, by 2^-24 for each of at most 144 terms and of the
// eight layers behind one another.
TEST_F(ExportedModel, AgreesOnAClassifierWithFusedCalls) {
  use_shipped("Conv");
  compile(ClassifierWriter().run());
  write("x.npy", float_npy(wave_pictures(1), "1, 3, 16, 16"));
  build();
  run("image", "scores");
  EXPECT_LT(distance(), 144 * 8 * std::exp2(-24));
  EXPECT_THAT(read("bare/net/model.cpp"), HasSubstr("conv("));
  EXPECT_THAT(read("bare/net/model.cpp"), HasSubstr("{{algorithm::eltwise_relu, 0.0f, 0.0f}}"));
}

// Both round to float16 behind each of eight layers; a sum that lies at a middle may go either way.
TEST_F(ExportedModel, AgreesInFloat16) {
  use_shipped("Conv");
  compile(ClassifierWriter().run(), {"--precision_mode=force_fp16"});
  write("x.npy", float_npy(wave_pictures(1), "1, 3, 16, 16"));
  build();
  EXPECT_THAT(read("bare/net/model.cpp"), HasSubstr("round_float16("));
  run("image", "scores");
  EXPECT_LT(distance(), 8 * std::exp2(-10));
}

// Whole numbers between layers, by ops of int8 and by floats between two quantisations: where a sum
// in floats lies at a middle, the project may be a step of 1/127 off, in one of two layers that the
// last ones add up.
TEST_F(ExportedModel, AgreesInInt8) {
  write("net.onnx", ClassifierWriter().run());
  write("data.npy", float_npy(wave_pictures(12), "12, 3, 16, 16"));
  ASSERT_EQ(opkit({"quantize", "net.onnx", "--data", "data.npy", "--check", "0"}).exit_code, 0);
  const std::string quantized = read("net_int8.onnx");
  for (const std::string chip : {"Ascend910B1", "Ascend310B1"}) {
    use_shipped("QuantConvRequant");
    compile(quantized, {}, chip);
    write("x.npy", float_npy(wave_pictures(1), "1, 3, 16, 16"));
    fs::remove_all(path("bare"));
    build();
    run("image", "scores");
    EXPECT_LT(distance(), 2.0 / 127) << chip;
    const std::string loops = chip == "Ascend910B1" ? "int8_t" : "quantize(";
    EXPECT_THAT(read("bare/net/model.cpp"), HasSubstr(loops)) << chip;
  }
}

TEST_F(ExportedModel, AgreesOnAnEncoder) {
  use_shipped("MatMul");
  compile(encoder());
  write("x.npy", float_npy(drawn(512, 9, 1), "2, 8, 32"));
  build();
  run("x", "y");
  // Products of 64 terms, five behind one another; the exponents amplify by less than 8.
  EXPECT_LT(distance(), 64 * 5 * 8 * std::exp2(-24));
}

std::string float_of(const char* name, float value) {
  return OnnxWriter::float_attribute(name, value);
}
std::string whole_of(const char* name, int64_t value) {
  return OnnxWriter::integer_attribute(name, value);
}
std::string list_of(const char* name, const std::vector<int64_t>& values) {
  return OnnxWriter::list_attribute(name, values);
}

// Operators of one element, windows and convolutions, from x to "both" of [1, 8, 6, 6].
void add_elements_and_windows(OnnxWriter& net) {
  net.input("x", {1, 4, 6, 6});
  net.constant("slope", {4, 1, 1}, {0.1f, 0.2f, 0.3f, 0.4f});
  net.node("PRelu", {"x", "slope"}, "a0");
  int last = 0;
  for (const char* op : {"Sigmoid", "Tanh", "Exp", "Sqrt", "Neg", "Abs", "Log", "HardSwish"}) {
    net.node(op, {"a" + std::to_string(last)}, "a" + std::to_string(last + 1));
    ++last;
  }
  net.node_with("LeakyRelu", {"a" + std::to_string(last)}, "leaky", float_of("alpha", 0.2f));
  net.node_with("AveragePool", {"leaky"}, "average",
                list_of("kernel_shape", {3, 3}) + list_of("pads", {1, 1, 1, 1}));
  net.node_with("MaxPool", {"leaky"}, "most",
                list_of("kernel_shape", {3, 2}) + list_of("pads", {1, 0, 1, 1}));
  net.node_with("Concat", {"average", "most"}, "two", whole_of("axis", 1));
  net.constant("w", {8, 2, 3, 3}, drawn(144, 7, 0.4f));
  net.node_with("Conv", {"two", "w"}, "groups",
                whole_of("group", 4) + list_of("kernel_shape", {3, 3}) +
                    list_of("dilations", {2, 1}) + list_of("pads", {2, 1, 2, 1}));
  net.constant("positive", {8}, {1, 2, 3, 4, 5, 6, 7, 8});
  net.constant("shift", {8}, drawn(8, 8, 1));
  net.node("BatchNormalization", {"groups", "positive", "shift", "shift", "positive"}, "both");
}

// Moves, reductions and products, from "both" to y of [3, 3].
void add_moves_and_rows(OnnxWriter& net) {
  net.integer_constant("starts", {2}, {0, 5});
  net.integer_constant("ends", {2}, {6, -100});
  net.integer_constant("axes", {2}, {2, 3});
  net.integer_constant("steps", {2}, {2, -2});
  net.node("Slice", {"both", "starts", "ends", "axes", "steps"}, "sliced");
  net.integer_constant("pads", {8}, {0, 0, 1, 0, 0, 0, 0, 2});
  net.constant("filling", {}, {0.5f});
  net.node("Pad", {"sliced", "pads", "filling"}, "padded");
  net.node("Transpose", {"padded"}, "turned", "perm", {0, 2, 3, 1});
  net.node_with("Softmax", {"turned"}, "shares", whole_of("axis", 2));
  net.node_with("ReduceMean", {"shares"}, "means", list_of("axes", {1}) + whole_of("keepdims", 0));
  net.node_with("ReduceMax", {"means"}, "largest", list_of("axes", {2}));
  net.node("Sub", {"means", "largest"}, "below");
  net.integer_constant("rows", {3}, {4, 0, -3});
  net.node_with("Gather", {"below", "rows"}, "gathered", whole_of("axis", 1));
  net.integer_constant("matrix", {2}, {3, 8});
  net.node("Reshape", {"gathered", "matrix"}, "flat");
  net.constant("factors", {3, 8}, drawn(24, 9, 5));
  net.constant("column", {3, 1}, {1, 2, 3});
  net.node_with("Gemm", {"flat", "factors", "column"}, "product",
                whole_of("transB", 1) + float_of("alpha", 0.5f) + float_of("beta", 2));
  net.constant("middle", {}, {3.0f});
  net.node("Greater", {"product", "middle"}, "over");
  net.node("Where", {"over", "product", "column"}, "chosen");
  net.constant("low", {}, {1.25f});
  net.constant("high", {}, {5.5f});
  net.node("Clip", {"chosen", "low", "high"}, "y");
  net.output("y", {3, 3});
}

// Nothing is installed: the interpreter computes every step.
TEST_F(ExportedModel, AgreesOnManyOperators) {
  use_shipped("no such op");
  OnnxWriter net;
  add_elements_and_windows(net);
  add_moves_and_rows(net);
  compile(net.model(17));
  write("x.npy", float_npy(drawn(144, 3, 2), "1, 4, 6, 6"));
  build();
  run("x", "y");
  // Some twenty roundings behind one another, none of which is amplified by more than 8.
  EXPECT_LT(distance(), 20 * 8 * std::exp2(-24));
}

TEST_F(ExportedModel, RefusesFilesOfOtherForms) {
  use_shipped("no such op");
  OnnxWriter net;
  net.input("x", {2, 2});
  net.node("Relu", {"x"}, "y");
  net.output("y", {2, 2});
  compile(net.model());
  build();
  const auto refused = [&](const std::string& bytes, const std::string& text) {
    write("x.npy", bytes);
    const Shown shown =
        run_program({path("bare/build/model").string(), "--input", "x=x.npy"}, folder_);
    EXPECT_EQ(shown.exit_code, 1);
    EXPECT_THAT(shown.err, HasSubstr(text));
  };
  refused(float_npy({1, 2, 3}), "holds <f4 [3], and <f4 [2, 2] is wanted");
  refused("no array", "is no .npy file");
  refused(float_npy({1, 2, 3, 4}, "2, 2").substr(0, 100), "is cut off");
  write("x.npy", float_npy({1, -2, 3, 4}, "2, 2"));
  write("bare/build/weights.bin", "other weights");
  refused(float_npy({1, 2, 3, 4}, "2, 2"), "has not the weights of this model");
}

// The chip of a Conv kernel that takes the Relu, one without such an op, and the processor.
TEST_F(ExportedModel, ShowsDecisionsSideBySide) {
  OnnxWriter net;
  net.input("x", {1, 4, 6, 6});
  net.constant("w", {4, 4, 3, 3}, drawn(144, 3, 0.3f));
  net.node("Conv", {"x", "w"}, "c");
  net.node("Relu", {"c"}, "r");
  net.node("Elu", {"r"}, "y");
  net.output("y", {1, 4, 4, 4});
  use_shipped("no such op");
  compile(net.model(17), {}, "Ascend910B1");
  fs::rename(path("net.om"), path("other.om"));
  use_shipped("Conv");
  compile(net.model(17));
  const Shown shown =
      opkit({"model", "export", "net.om", "--output", "there", "--beside", "other.om"});
  ASSERT_EQ(shown.exit_code, 0) << shown.err;
  EXPECT_THAT(shown.out, testing::ContainsRegex("nodes +Ascend310B1 +Ascend910B1 +cpu"));
  EXPECT_THAT(shown.out, testing::ContainsRegex("c_node\\+r_node +Conv(Bias)?Activation +Conv "
                                                "\\(host\\), Relu \\(host\\) +conv\\+relu"));
  fs::remove_all(path("there"));
  EXPECT_NE(
      opkit({"model", "export", "net.om", "--output", "there", "--beside", "no.om"}).exit_code, 0);
  EXPECT_FALSE(fs::exists(path("there")));
}

TEST_F(ExportedModel, RepeatsRunsAsOftenAsItIsTold) {
  use_shipped("no such op");
  OnnxWriter net;
  net.input("x", {2, 2});
  net.node("Relu", {"x"}, "y");
  net.output("y", {2, 2});
  compile(net.model());
  build();
  write("x.npy", float_npy({1, -2, 3, -4}, "2, 2"));
  const auto shown = [&](const std::string& runs) {
    return run_program({path("bare/build/model").string(), "--input", "x=x.npy", "--repeat", runs},
                       folder_);
  };
  EXPECT_THAT(shown("3").out, HasSubstr("median of 3 runs: "));
  EXPECT_THAT(floats_of(read("output_0.npy")), testing::ElementsAre(1, 0, 3, 0));
  for (const std::string runs : {"0", "-1", "many", "2x"}) {
    EXPECT_EQ(shown(runs).exit_code, 1);
    EXPECT_THAT(shown(runs).err, HasSubstr("'" + runs + "' is no number of runs"));
  }
}

TEST_F(ExportedModel, NamesAllThatHasNoSource) {
  use_shipped("no such op");
  OnnxWriter net;
  net.input("x", {4, 4});
  net.node("Det", {"x"}, "d");
  net.node_with("Einsum", {"x", "x"}, "e", OnnxWriter::text_attribute("equation", "ij,ij->i"));
  net.node("Relu", {"x"}, "r");
  net.output("d", {});
  net.output("e", {4});
  net.output("r", {4, 4});
  compile(net.model(17));
  const Shown shown = opkit({"model", "export", "net.om", "--output", "there"});
  EXPECT_NE(shown.exit_code, 0);
  EXPECT_THAT(shown.err, HasSubstr("OPK-EXPORT-001"));
  EXPECT_THAT(shown.err, HasSubstr("Det"));
  EXPECT_THAT(shown.err, HasSubstr("Einsum"));
  EXPECT_FALSE(fs::exists(path("there")));
  EXPECT_FALSE(fs::exists(path("there.unfinished")));
  fs::create_directories(path("there"));
  write("there/file", "mine");
  EXPECT_THAT(opkit({"model", "export", "net.om", "--output", "there"}).err,
              HasSubstr("OPK-EXPORT-003"));
}

TEST_F(ExportedModel, NeedsTheContractsThatTheModelWasMadeWith) {
  use_shipped("Conv");
  compile(ClassifierWriter().run());
  use_shipped("no such op");
  const Shown shown = opkit({"model", "export", "net.om", "--output", "there"});
  EXPECT_NE(shown.exit_code, 0);
  EXPECT_THAT(shown.err, HasSubstr("OPK-EXPORT-002"));
  EXPECT_FALSE(fs::exists(path("there")));
}

}  // namespace
}  // namespace opkit::e2e
