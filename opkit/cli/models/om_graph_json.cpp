#include "opkit/cli/models/om_graph_json.h"

#include <fmt/format.h>

#include "opkit/call/layout/storage_layout.h"
#include "opkit/model/file/bodies.h"

namespace opkit::cli {
namespace {

using model::kNoTensor;
using model::OfflineModel;
using model::Plan;
using model::Step;
using model::StepKind;

Json text_attr(const std::string& key, const std::string& value) {
  return {{"key", key}, {"value", {{"s", value}}}};
}
Json number_attr(const std::string& key, uint64_t value) {
  return {{"key", key}, {"value", {{"i", value}}}};
}

Json value_json(int64_t value) { return {{"i", value}}; }
Json value_json(double value) { return {{"f", value}}; }
Json value_json(bool value) { return {{"b", value}}; }
Json value_json(const std::string& value) { return {{"s", value}}; }
Json value_json(const std::vector<int64_t>& values) { return {{"list", {{"i", values}}}}; }
Json value_json(const std::vector<double>& values) { return {{"list", {{"f", values}}}}; }
Json value_json(const std::vector<bool>& values) { return {{"list", {{"b", values}}}}; }
Json value_json(const std::vector<std::string>& values) { return {{"list", {{"s", values}}}}; }
Json value_json(const graph::RefTensor& tensor) {
  return {{"t", {{"type", name_of(tensor.dtype)}, {"shape", tensor.shape.dims()}}}};
}

template <typename Attributes>
Json attrs_json(const Attributes& attributes) {
  Json list = Json::array();
  for (const auto& [name, value] : attributes) {
    list.push_back({{"key", name},
                    {"value", std::visit([](const auto& one) { return value_json(one); }, value)}});
  }
  return list;
}

Result<Json> desc_json(const Plan& plan, uint32_t t) {
  const TensorDesc& desc = plan.tensors[t].desc;
  OPKIT_TRY(const StorageLayout layout, StorageLayout::of(desc.format, desc.dtype, desc.shape));
  return Json{{"name", desc.name},
              {"type", name_of(desc.dtype)},
              {"format", name_of(desc.format)},
              {"shape", layout.storage().dims()},
              {"origin_format", name_of(origin_format(desc.format))},
              {"origin_shape", desc.shape.dims()}};
}

// Absent operands have no name and no description.
Status add_ports(const Plan& plan, const std::vector<std::vector<uint32_t>>& ports,
                 const std::string& side, Json& op) {
  op[side] = Json::array();
  op[side + "_desc"] = Json::array();
  for (const auto& port : ports) {
    for (const uint32_t t : port) {
      op[side].push_back(t == kNoTensor ? "" : plan.tensors[t].desc.name);
      if (t == kNoTensor) continue;
      OPKIT_TRY(Json desc, desc_json(plan, t));
      op[side + "_desc"].push_back(std::move(desc));
    }
  }
  return {};
}

std::string type_of(const OfflineModel& model, const Step& step) {
  switch (step.kind) {
    case StepKind::kKernel:
    case StepKind::kAicpu: return model.plugins[step.plugin].op;
    case StepKind::kHost:
    case StepKind::kControl: return step.node.op_type;
    case StepKind::kCopy: return "Identity";
    default: return "TransData";
  }
}

Json kernel_attrs(const Step& step) {
  Json attrs = attrs_json(step.attrs);
  attrs.push_back(number_attr("_block_dim", step.block_dim));
  attrs.push_back(number_attr("_tiling_key", step.tiling_key));
  attrs.push_back(number_attr("_workspace_bytes", step.workspace_bytes));
  attrs.push_back(number_attr("_modelled_ns", step.nanoseconds));
  return attrs;
}

Result<Json> op_json(const OfflineModel& model, const Plan& plan, const Step& step) {
  Json op{{"name", step.name}, {"type", type_of(model, step)}};
  OPKIT_CHECK(add_ports(plan, step.in, "input", op));
  OPKIT_CHECK(add_ports(plan, step.out, "output", op));
  op["attr"] = asks_plugin(step.kind) ? kernel_attrs(step) : attrs_json(step.node.attributes);
  op["attr"].push_back(text_attr("_step_kind", std::string(model::name_of(step.kind))));
  return op;
}

Json names_json(const Plan& plan, const std::vector<uint32_t>& tensors) {
  Json names = Json::array();
  for (const uint32_t t : tensors) names.push_back(plan.tensors[t].desc.name);
  return names;
}

Result<Json> plan_json(const OfflineModel& model, const Plan& plan) {
  Json graph{{"name", model.name},
             {"input", names_json(plan, plan.inputs)},
             {"output", names_json(plan, plan.outputs)},
             {"attr", Json::array({number_attr("_memory_size", plan.block_bytes)})},
             {"op", Json::array()}};
  for (const Step& step : plan.steps) {
    OPKIT_TRY(Json op, op_json(model, plan, step));
    graph["op"].push_back(std::move(op));
  }
  return graph;
}

Json desc_json(const graph::Graph& graph, const std::string& name) {
  const auto known = graph.values.find(name);
  Json desc{{"name", name}};
  if (known == graph.values.end()) return desc;
  const graph::ValueInfo& value = known->second;
  if (value.dtype != DType::kUndefined) desc["type"] = name_of(value.dtype);
  desc["format"] = name_of(value.format);
  if (value.shape) desc["shape"] = value.shape->dims();
  return desc;
}

Json descs_json(const graph::Graph& graph, const std::vector<std::string>& names) {
  Json list = Json::array();
  for (const std::string& name : names) {
    if (!name.empty()) list.push_back(desc_json(graph, name));
  }
  return list;
}

}  // namespace

Result<Json> om_graph_json(const OfflineModel& model) {
  Json json{{"name", model.name},
            {"attr", Json::array({text_attr("soc_version", model.soc),
                                  text_attr("atc_version", model.made_by),
                                  text_attr("atc_cmdline", model.command),
                                  number_attr("_weight_size", model.weight_bytes)})},
            {"graph", Json::array()}};
  for (size_t g = 0; g < model.plan_count(); ++g) {
    OPKIT_TRY(Json graph, plan_json(model, model.plan(g)));
    if (!model.gears.empty())
      graph["attr"].push_back({{"key", "_gear"}, {"value", value_json(model.gears[g])}});
    json["graph"].push_back(std::move(graph));
  }
  for (const model::Body& body : model.bodies) {
    OPKIT_TRY(Json graph, plan_json(model, body));
    const Step& step = model::holder_of(model, body).steps[body.step];
    graph["attr"].push_back(text_attr("_body_of", step.name));
    graph["attr"].push_back(number_attr("_gear_number", body.gear));
    json["graph"].push_back(std::move(graph));
  }
  return json;
}

Json model_graph_json(const graph::Graph& graph) {
  Json ops = Json::array();
  for (const graph::Node& node : graph.nodes) {
    ops.push_back({{"name", node.name},
                   {"type", node.op_type},
                   {"input", node.inputs},
                   {"input_desc", descs_json(graph, node.inputs)},
                   {"output", node.outputs},
                   {"output_desc", descs_json(graph, node.outputs)},
                   {"attr", attrs_json(node.attributes)}});
  }
  return {{"name", graph.name},
          {"attr", Json::array({number_attr("_opset", static_cast<uint64_t>(graph.opset))})},
          {"graph", Json::array({Json{{"name", graph.name},
                                      {"input", graph.inputs},
                                      {"output", graph.outputs},
                                      {"attr", Json::array()},
                                      {"op", ops}}})}};
}

}  // namespace opkit::cli
