#include "opkit/cli/models/om_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "opkit/cli/terminal/table.h"
#include "opkit/cli/text/step_name.h"
#include "opkit/graph/bodies.h"
#include "opkit/model/file/bodies.h"
#include "opkit/model/file/om_file.h"

namespace opkit::cli {
namespace {

using model::OfflineModel;
using model::Plan;
using model::Step;
using model::StepKind;

Json tensor_json(const Plan& model, uint32_t t) {
  if (t == model::kNoTensor) return nullptr;
  const TensorDesc& desc = model.tensors[t].desc;
  return {{"name", desc.name},
          {"dtype", name_of(desc.dtype)},
          {"shape", desc.shape.dims()},
          {"format", name_of(desc.format)},
          {"bytes", model.tensors[t].bytes}};
}

Json tensors_json(const Plan& model, const std::vector<uint32_t>& tensors) {
  Json list = Json::array();
  for (const uint32_t t : tensors) list.push_back(tensor_json(model, t));
  return list;
}

Json step_json(const OfflineModel& model, const Plan& plan, const Step& step) {
  Json json{{"name", step.name}, {"kind", model::name_of(step.kind)}};
  if (step.kind == StepKind::kAicpu) {
    json["op"] = model.plugins[step.plugin].op;
  } else if (step.kind == StepKind::kKernel) {
    json["op"] = model.plugins[step.plugin].op;
    json["block_dim"] = step.block_dim;
    json["tiling_key"] = step.tiling_key;
    json["workspace"] = step.workspace_bytes;
    json["ns"] = step.nanoseconds;
    json["cost_is_exact"] = step.measured;
  } else if (step.kind == StepKind::kHost) {
    json["op"] = step.node.op_type;
  } else if (step.kind == StepKind::kControl) {
    json["op"] = step.node.op_type;
    json["ns"] = step.nanoseconds;
  }
  const auto ports = [&](const std::vector<std::vector<uint32_t>>& all) {
    Json list = Json::array();
    for (const auto& port : all) list.push_back(tensors_json(plan, port));
    return list;
  };
  json["in"] = ports(step.in);
  json["out"] = ports(step.out);
  return json;
}

std::string who(const OfflineModel& model, const Step& step) {
  if (step.kind == StepKind::kKernel) return model.plugins[step.plugin].op;
  if (step.kind == StepKind::kAicpu) return "aicpu " + model.plugins[step.plugin].op;
  if (step.kind == StepKind::kHost) return "host " + step.node.op_type;
  if (step.kind == StepKind::kControl) return "control " + step.node.op_type;
  return std::string(model::name_of(step.kind));
}

std::string result_text(const Plan& model, const Step& step) {
  for (const auto& port : step.out) {
    for (const uint32_t t : port) {
      if (t != model::kNoTensor)
        return fmt::format("{}{}", name_of(model.tensors[t].desc.dtype),
                           model.tensors[t].desc.shape.to_string());
    }
  }
  return "";
}

void add_plan(const OfflineModel& model, const Plan& plan, Json& json) {
  json["cover"] = plan.cover;
  json["inputs"] = tensors_json(plan, plan.inputs);
  json["outputs"] = tensors_json(plan, plan.outputs);
  json["block_bytes"] = plan.block_bytes;
  json["block_bound"] = plan.block_bound;
  json["steps"] = Json::array();
  for (const Step& step : plan.steps) json["steps"].push_back(step_json(model, plan, step));
}

std::string plan_text(const OfflineModel& model, const Plan& plan, const Palette& palette) {
  std::string text;
  for (const uint32_t t : plan.inputs) text += "input  " + plan.tensors[t].desc.to_string() + "\n";
  for (const uint32_t t : plan.outputs) text += "output " + plan.tensors[t].desc.to_string() + "\n";
  text += fmt::format(
      "cover {}; {} bytes shared by all steps (bound {}), {} of weights, {} in the file\n\n",
      plan.cover, plan.block_bytes, plan.block_bound, model.weight_bytes, model.weights.size());
  Table table({"step", "by", "result", ">blocks", ">us"});
  for (const Step& step : plan.steps) {
    const bool kernel = step.kind == StepKind::kKernel;
    const bool timed = kernel || step.kind == StepKind::kControl;
    table.add({short_step_name(step.name), who(model, step), result_text(plan, step),
               kernel ? std::to_string(step.block_dim) : "",
               timed ? fmt::format("{:.2f}{}", static_cast<double>(step.nanoseconds) / 1e3,
                                   step.measured ? "" : "~")
                     : ""});
  }
  return text + table.to_string(palette);
}

// "then_branch of If y, step 3"
std::string body_name(const OfflineModel& model, uint32_t b) {
  const model::Body& body = model.bodies[b];
  const Step& step = model::holder_of(model, body).steps[body.step];
  const model::StepBodies bodies(model);
  const std::vector<uint32_t>& all = bodies.of(body.gear, body.inside, body.step);
  const auto branch = static_cast<size_t>(std::find(all.begin(), all.end(), b) - all.begin());
  return fmt::format("{} of {} {}, step {}", graph::bodies_of(step.node.op_type)[branch],
                     step.node.op_type, short_step_name(step.name), body.step);
}

// Returns what the control steps of a gear run.
std::string bodies_text(const OfflineModel& model, size_t gear, const Palette& palette) {
  std::string text;
  for (uint32_t b = 0; b < model.bodies.size(); ++b) {
    const model::Body& body = model.bodies[b];
    if (body.gear != gear) continue;
    const std::string where =
        body.inside == model::kNoBody ? "" : fmt::format(" of body {}", body.inside);
    text += fmt::format("\nbody {}: {}{}\n", b, body_name(model, b), where) +
            plan_text(model, body, palette);
  }
  return text;
}

void add_bodies(const OfflineModel& model, size_t gear, Json& json) {
  Json list = Json::array();
  for (uint32_t b = 0; b < model.bodies.size(); ++b) {
    const model::Body& body = model.bodies[b];
    if (body.gear != gear) continue;
    Json one{{"body", b},
             {"of", body_name(model, b)},
             {"inside", body.inside == model::kNoBody ? Json() : Json(body.inside)},
             {"step", body.step}};
    add_plan(model, body, one);
    list.push_back(std::move(one));
  }
  if (!list.empty()) json["bodies"] = std::move(list);
}

const std::string& input_name(const OfflineModel& model, uint32_t input) {
  return model.tensors[model.inputs[input]].desc.name;
}

Json aipp_json(const OfflineModel& model) {
  Json all = Json::array();
  for (const model::AippInput& aipp : model.aipp) {
    Json one{{"input", input_name(model, aipp.input)},
             {"dynamic", aipp.dynamic},
             {"dtype", name_of(aipp.dtype)},
             {"dims", aipp.dims}};
    if (aipp.dynamic) one["settings"] = input_name(model, aipp.settings);
    all.push_back(std::move(one));
  }
  return all;
}

std::string aipp_text(const OfflineModel& model) {
  std::string text;
  for (const model::AippInput& aipp : model.aipp)
    text += fmt::format(
        "AIPP   {}: {}; makes {}{} of the images\n", input_name(model, aipp.input),
        aipp.dynamic ? "dynamic, settings by " + input_name(model, aipp.settings) : "static",
        name_of(aipp.dtype), Shape(aipp.dims[0]).to_string());
  return text;
}

}  // namespace

Json om_json(const OfflineModel& model) {
  Json plugins = Json::array();
  for (const model::PluginId& plugin : model.plugins)
    plugins.push_back({{"vendor", plugin.vendor},
                       {"op", plugin.op},
                       {"version", plugin.version},
                       {"library_sha256", plugin.library_sha256},
                       {"contract_sha256", plugin.contract_sha256}});
  Json json{{"name", model.name},
            {"soc", model.soc},
            {"made_by", model.made_by},
            {"command", model.command},
            {"opset", model.opset},
            {"weight_bytes", model.weight_bytes},
            {"weights_in_file", model.weights.size()},
            {"plugins", plugins},
            {"aipp", aipp_json(model)}};
  if (model.gear_kind == model::GearKind::kNone) {
    add_plan(model, model, json);
    add_bodies(model, 0, json);
    return json;
  }
  json["gear_kind"] = model::name_of(model.gear_kind);
  json["gears"] = Json::array();
  for (size_t g = 0; g < model.gears.size(); ++g) {
    Json gear{{"gear", model.gears[g]}};
    add_plan(model, model.plan(g), gear);
    add_bodies(model, g, gear);
    json["gears"].push_back(gear);
  }
  return json;
}

namespace {

uint64_t block_of(const OfflineModel& model) {
  uint64_t bytes = 0;
  for (size_t g = 0; g < model.plan_count(); ++g)
    bytes = std::max(bytes, model.plan(g).block_bytes);
  return bytes;
}

size_t steps_of(const OfflineModel& model) {
  size_t steps = 0;
  for (size_t g = 0; g < model.plan_count(); ++g) steps += model.plan(g).steps.size();
  for (const model::Body& body : model.bodies) steps += body.steps.size();
  return steps;
}

}  // namespace

std::string om_info_text(const OfflineModel& model) {
  const size_t all = model::encode(model).size();
  return fmt::format(
      "============ Display Model Info start ============\n"
      "Original Atc command line: {}\n"
      "system   info: atc_version[{}], soc_version[{}], framework_type[5].\n"
      "resource info: memory_size[{} B], weight_size[{} B], stream_num[1], event_num[0].\n"
      "om       info: modeldef_size[{} B], weight_data_size[{} B], tbe_kernels_size[0 B], "
      "cust_aicpu_kernel_store_size[0 B], task_info_size[{}], so_store_size[0 B].\n"
      "============ Display Model Info end   ============\n",
      model.command, model.made_by, model.soc, block_of(model), model.weight_bytes,
      all - model.weights.size(), model.weights.size(), steps_of(model));
}

std::string om_text(const OfflineModel& model, const Palette& palette) {
  std::string text = fmt::format("{} for {}, made by {}\n", model.name, model.soc, model.made_by);
  text += aipp_text(model);
  if (model.gear_kind == model::GearKind::kNone)
    return text + plan_text(model, model, palette) + bodies_text(model, 0, palette);
  for (size_t g = 0; g < model.gears.size(); ++g)
    text += fmt::format("\ngear {} of {} ({} {})\n", g, model.gears.size(),
                        model::name_of(model.gear_kind), fmt::join(model.gears[g], ",")) +
            plan_text(model, model.plan(g), palette) + bodies_text(model, g, palette);
  return text;
}

}  // namespace opkit::cli
