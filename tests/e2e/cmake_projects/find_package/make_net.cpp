// Saves the model relu(x) of four numbers as net.om.
#include "all_ops.h"
#include "ge/ge_ir_build.h"

int main() {
  const ge::TensorDesc row(ge::Shape({4}), ge::FORMAT_ND, ge::DT_FLOAT);
  auto x = ge::op::Data("x").set_attr_index(0);
  x.update_input_desc_x(row);
  auto y = ge::op::Relu("y").set_input_x(x);
  std::vector<ge::Operator> inputs{x}, outputs{y};
  ge::Graph graph("net");
  graph.SetInputs(inputs).SetOutputs(outputs);
  using Options = std::map<ge::AscendString, ge::AscendString>;
  ge::ModelBufferData model;
  return ge::aclgrphBuildInitialize(Options{{ge::ir_option::SOC_VERSION, "Ascend910B1"}}) != 0 ||
         ge::aclgrphBuildModel(graph, Options{}, model) != 0 ||
         ge::aclgrphSaveModel("net", model) != 0;
}
