#include "opkit/cli/models/quantize_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "opkit/base/counted.h"
#include "opkit/cli/terminal/table.h"

namespace opkit::cli {
namespace {

using quantize::CheckedModel;
using quantize::Int8Model;
using quantize::LeftOut;
using quantize::QuantizedLayer;

Json left_out_json(const std::vector<LeftOut>& all) {
  Json list = Json::array();
  for (const LeftOut& one : all)
    list.push_back({{"layer", one.name}, {"op", one.op_type}, {"why", one.why}});
  return list;
}

// "left out: conv9 (Conv) is skipped; ..." with the nodes of one reason together.
std::string left_out_text(const std::vector<LeftOut>& all) {
  std::map<std::string, std::vector<std::string>> by_reason;
  for (const LeftOut& one : all)
    by_reason[one.why].push_back(fmt::format("{} ({})", one.name, one.op_type));
  std::string text;
  for (const auto& [why, names] : by_reason) {
    const size_t shown = std::min<size_t>(names.size(), 4);
    const auto last = names.begin() + static_cast<std::ptrdiff_t>(shown);
    text +=
        fmt::format("stays float, because it {}: {}{}\n", why, fmt::join(names.begin(), last, ", "),
                    shown < names.size() ? fmt::format(" and {} more", names.size() - shown) : "");
  }
  return text;
}

std::string dims_text(const graph::RefTensor& tensor) {
  return fmt::format("{}", fmt::join(tensor.shape.dims(), "x"));
}

std::string scales_text(const std::vector<double>& scales) {
  const auto [least, most] = std::minmax_element(scales.begin(), scales.end());
  if (*least == *most) return fmt::format("{:.3g}", *least);
  return fmt::format("{:.3g} .. {:.3g}", *least, *most);
}

std::string per_cent(double share) {
  return share == 0 ? "0" : fmt::format("{:.2g} %", 100 * share);
}

Json finite_json(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

}  // namespace

Json layers_json(const quantize::Layers& layers) {
  Json list = Json::array();
  for (const quantize::Layer& layer : layers.layers)
    list.push_back({{"layer", layer.name},
                    {"op", layer.op_type},
                    {"data", layer.data},
                    {"weights", layer.weights.shape.dims()}});
  return {{"layers", list}, {"left_out", left_out_json(layers.left_out)}};
}

std::string layers_text(const quantize::Layers& layers, const Palette& palette) {
  Table table({"layer", "op", "weights", "reads"});
  for (const quantize::Layer& layer : layers.layers)
    table.add({layer.name, layer.op_type, dims_text(layer.weights), layer.data});
  return table.to_string(palette) + left_out_text(layers.left_out);
}

Json quantization_json(const Int8Model& quantization) {
  Json layers = Json::array(), tensors = Json::object();
  for (const QuantizedLayer& one : quantization.layers) {
    layers.push_back({{"layer", one.layer.name},
                      {"op", one.layer.op_type},
                      {"data", one.layer.data},
                      {"result", one.layer.result},
                      {"activation", quantize::name_of(one.options.activation)},
                      {"weights", quantize::name_of(one.options.weights)},
                      {"range", {one.range.low, one.range.high}},
                      {"scale_d", one.data.scale},
                      {"offset_d", one.data.zero},
                      {"clipped", one.clipped},
                      {"scale_w", one.weights.scales},
                      {"weights_error", one.weights.error},
                      {"widened_channels", one.weights.widened}});
  }
  for (const auto& [value, scale] : quantization.scales)
    tensors[value] = {{"scale", scale.scale}, {"offset", scale.zero}};
  return {{"layers", layers},
          {"tensors", tensors},
          {"nodes_between", quantization.region.between.size()},
          {"left_out", left_out_json(quantization.left_out)}};
}

std::string quantization_text(const Int8Model& quantization, const Palette& palette) {
  Table table({"layer", "op", ">range of data", ">scale", ">zero", ">cut off", ">scale of weights",
               ">their error"});
  size_t widened = 0;
  for (const QuantizedLayer& one : quantization.layers) {
    widened += one.weights.widened;
    table.add({one.layer.name, one.layer.op_type,
               fmt::format("{:.4g} .. {:.4g}", one.range.low, one.range.high),
               fmt::format("{:.4g}", one.data.scale), std::to_string(one.data.zero),
               per_cent(one.clipped), scales_text(one.weights.scales),
               per_cent(std::sqrt(one.weights.error))});
  }
  std::string text = table.to_string(palette) + left_out_text(quantization.left_out);
  if (widened > 0)
    text += fmt::format("{} got larger scales, so that int32 holds their bias\n",
                        counted(widened, "channel"));
  return text + fmt::format("{} in int8, {} between them, {} quantized\n",
                            counted(quantization.layers.size(), "layer"),
                            counted(quantization.region.between.size(), "node"),
                            counted(quantization.scales.size(), "tensor"));
}

Json checked_json(const CheckedModel& checked) {
  Json outputs = Json::object();
  for (const auto& [name, distance] : checked.outputs) {
    Json one{{"sqnr", finite_json(distance.decibels())},
             {"cosine", distance.cosine()},
             {"largest", distance.largest},
             {"mean", distance.mean()}};
    const auto scores = checked.scores.find(name);
    if (scores != checked.scores.end())
      one.update({{"rows", scores->second.rows},
                  {"top1_agreement", static_cast<double>(scores->second.same) /
                                         static_cast<double>(scores->second.rows)}});
    outputs[name] = one;
  }
  return {{"samples", checked.samples}, {"outputs", outputs}};
}

std::string checked_text(const CheckedModel& checked) {
  std::string text;
  for (const auto& [name, distance] : checked.outputs) {
    text += fmt::format(
        "int8 beside float32 on {}: {}: {:.1f} dB, cosine {:.6f}, largest error "
        "{:.3g}",
        counted(checked.samples, "sample"), name, distance.decibels(), distance.cosine(),
        distance.largest);
    const auto scores = checked.scores.find(name);
    if (scores != checked.scores.end())
      text += fmt::format(", same first class in {} of {}", scores->second.same,
                          counted(scores->second.rows, "row"));
    text += '\n';
  }
  return text;
}

}  // namespace opkit::cli
