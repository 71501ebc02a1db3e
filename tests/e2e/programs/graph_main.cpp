// Builds a small net as a graph, compiles it and saves it; then what a program can do wrong.
// graph_main OUTPUT
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "all_ops.h"
#include "ge/ge_ir_build.h"

using namespace ge;

namespace {

// Pieces of 1/16, as the test computes them, too.
std::vector<float> Numbers(size_t count, int seed) {
  std::vector<float> all(count);
  for (size_t i = 0; i < count; ++i)
    all[i] = static_cast<float>(static_cast<int>(i * 7 + static_cast<size_t>(seed)) % 17 - 8) / 16;
  return all;
}

op::Const Weights(const char* name, const std::vector<int64_t>& dims,
                  const std::vector<float>& values) {
  Tensor tensor(TensorDesc(Shape(dims), FORMAT_ND, DT_FLOAT));
  tensor.SetData(reinterpret_cast<const uint8_t*>(values.data()), values.size() * sizeof(float));
  return op::Const(name).set_attr_value(tensor);
}

// batch: -1 leaves it open.
Graph Net(int64_t batch) {
  TensorDesc image(Shape({batch, 3, 16, 16}), FORMAT_NCHW, DT_FLOAT);
  auto x = op::Data("x").set_attr_index(0);
  x.update_input_desc_x(image);
  x.update_output_desc_y(image);
  auto w0 = Weights("w0", {16, 3, 3, 3}, Numbers(16 * 27, 1));
  auto b0 = Weights("b0", {16}, Numbers(16, 4));
  auto w1 = Weights("w1", {16, 16, 3, 3}, Numbers(16 * 144, 2));
  auto scale = Weights("scale", {16}, Numbers(16, 3));
  auto shift = Weights("shift", {16}, Numbers(16, 5));
  auto mean = Weights("mean", {16}, Numbers(16, 6));
  auto variance = Weights("variance", {16}, std::vector<float>(16, 0.75f));
  auto w2 = Weights("w2", {16, 10}, Numbers(160, 7));
  auto b2 = Weights("b2", {10}, Numbers(10, 8));
  auto c0 = op::Conv2D("c0")
                .set_input_x(x)
                .set_input_filter(w0)
                .set_input_bias(b0)
                .set_attr_strides({1, 1, 1, 1})
                .set_attr_pads({1, 1, 1, 1})
                .set_attr_data_format("NCHW");
  auto n0 = op::BatchNorm("n0")
                .set_input_x(c0)
                .set_input_scale(scale)
                .set_input_offset(shift)
                .set_input_mean(mean)
                .set_input_variance(variance)
                .set_attr_epsilon(1e-5f)
                .set_attr_data_format("NCHW")
                .set_attr_is_training(false);
  auto r0 = op::Relu("r0").set_input_x(n0, "y");
  auto p0 = op::MaxPoolV3("p0")
                .set_input_x(r0)
                .set_attr_ksize({1, 1, 2, 2})
                .set_attr_strides({1, 1, 1, 1});
  auto c1 = op::Conv2D("c1")
                .set_input_x(p0)
                .set_input_filter(w1)
                .set_attr_strides({1, 1, 1, 1})
                .set_attr_pads({1, 1, 1, 1})
                .set_attr_data_format("NCHW");
  auto a = op::Add("a").set_input_x1(c1).set_input_x2(p0);
  auto r1 = op::Relu("r1").set_input_x(a);
  auto g = op::GlobalAveragePool("g").set_input_x(r1);
  auto f = op::FlattenV2("f").set_input_x(g);
  auto l = op::MatMulV2("l").set_input_x1(f).set_input_x2(w2).set_input_bias(b2);
  auto y = op::SoftmaxV2("y").set_input_x(l).set_attr_axes({-1});
  Graph graph("net");
  std::vector<Operator> inputs{x}, outputs{y};
  graph.SetInputs(inputs).SetOutputs(outputs);
  return graph;
}

using Options = std::map<AscendString, AscendString>;
int misuses = 0;

// The code, and the code of ours in the text.
void Expect(graphStatus got, graphStatus wanted, const char* code) {
  const std::string text = GEGetErrorMsgV2().GetString();
  if (got == wanted && text.find(code) != std::string::npos) {
    ++misuses;
    return;
  }
  std::fprintf(stderr, "%u in place of %u, %s: %s\n", got, wanted, code, text.c_str());
  std::exit(4);
}

void Misuse(const Graph& net, const ModelBufferData& good) {
  ModelBufferData model;
  Expect(aclgrphBuildModel(net, Options{{ir_option::AICORE_NUM, "20"}}, model), GRAPH_PARAM_INVALID,
         "OPK-GE-004");
  Expect(aclgrphBuildModel(net, Options{{ir_option::INPUT_SHAPE, "x:1,3,16,16"}}, model),
         GRAPH_PARAM_INVALID, "E10001");
  Expect(aclgrphBuildModel(Graph("empty"), Options{}, model), GRAPH_PARAM_INVALID, "OPK-GE-001");
  auto x = op::Data("x");
  x.update_input_desc_x(TensorDesc(Shape({2, 3}), FORMAT_ND, DT_FLOAT));
  Graph unknown("unknown");
  std::vector<Operator> inputs{x}, outputs{Operator("r", "Reluu").SetInput("x", x)};
  unknown.SetInputs(inputs).SetOutputs(outputs);
  Expect(aclgrphBuildModel(unknown, Options{}, model), GRAPH_PARAM_INVALID, "OPK-GE-002");
  outputs = {op::Relu("r")};
  unknown.SetOutputs(outputs);
  Expect(aclgrphBuildModel(unknown, Options{}, model), GRAPH_PARAM_INVALID, "OPK-GE-003");
  auto w = Weights("w", {4, 4}, Numbers(16, 1));
  outputs = {op::MatMulV2("m").set_input_x1(x).set_input_x2(w)};  // [2, 3] times [4, 4]
  unknown.SetOutputs(outputs);
  Expect(aclgrphBuildModel(unknown, Options{}, model), GRAPH_FAILED, "m");
  Expect(model.data ? GRAPH_SUCCESS : GRAPH_FAILED, GRAPH_FAILED, "");
  Expect(aclgrphSaveModel("none", model), GRAPH_PARAM_INVALID, "OPK-GE-005");
  Expect(aclgrphSaveModel(nullptr, good), GRAPH_PARAM_INVALID, "OPK-GE-005");
  Expect(aclgrphSaveModel("no/such/folder/none", good), GRAPH_FAILED, "no/such/folder");
  ModelBufferData cut = good;
  cut.length = 100;
  Expect(aclgrphSaveModel("none", cut), GRAPH_PARAM_INVALID, "OPK-OM-");
}

void Check(graphStatus status, const char* what) {
  if (status == GRAPH_SUCCESS) return;
  std::fprintf(stderr, "%s: %u %s\n", what, status, GEGetErrorMsgV2().GetString());
  std::exit(3);
}

}  // namespace

int main(int, char** arguments) {
  const Graph net = Net(2);
  ModelBufferData model;
  Expect(aclgrphBuildModel(net, Options{}, model), GRAPH_PARAM_INVALID, "OPK-GE-005");
  Expect(aclgrphBuildInitialize(Options{{ir_option::SOC_VERSION, "Ascend1"}}), GRAPH_FAILED, "");
  Check(aclgrphBuildInitialize(Options{{ir_option::SOC_VERSION, "Ascend910B1"}}), "initialize");
  Check(aclgrphBuildModel(net, Options{{ir_option::INPUT_FORMAT, "NCHW"}}, model), "build");
  Check(aclgrphSaveModel(arguments[1], model), "save");
  const Options gears = {{ir_option::INPUT_SHAPE, "x:-1,3,16,16"},
                         {ir_option::DYNAMIC_BATCH_SIZE, "1,2,4"}};
  ModelBufferData geared;
  Check(aclgrphBuildModel(Net(-1), gears, geared), "build of gears");
  Check(aclgrphSaveModel(std::string(arguments[1]) + "_gears", geared), "save of gears");
  Misuse(net, model);
  aclgrphBuildFinalize();
  std::printf("%llu bytes, %d misuses\n", static_cast<unsigned long long>(model.length), misuses);
  return 0;
}
