// Convolutions and pools of dense images.
#include <fmt/format.h>

#include "opkit/atc/ge/emitter.h"

namespace opkit::ge_frontend {
namespace {

using Numbers = std::vector<int64_t>;

Status check_layout(const Emitter& emit) {
  if (emit.text("data_format") == "NCHW") return {};
  return emit.refuse(
      fmt::format("data_format is {}, only NCHW is compiled", emit.text("data_format")),
      "give the images in NCHW and set_attr_data_format(\"NCHW\")");
}

// Returns the last two numbers of N, C, H and W.
Result<Numbers> down_and_across(const Emitter& emit, const char* attribute) {
  const Numbers all = emit.list(attribute);
  if (all.size() == 4 && all[0] == 1 && all[1] == 1) return Numbers{all[2], all[3]};
  return emit.refuse(fmt::format("{} is [{}], wanted are four numbers, 1 for N and C", attribute,
                                 fmt::join(all, ", ")),
                     fmt::format("set_attr_{}({{1, 1, 2, 2}})", attribute));
}

// top, bottom, left, right: ONNX has both begins, then both ends.
Result<Numbers> pads_of(const Emitter& emit) {
  const Numbers all = emit.list("pads");
  if (all.size() == 4) return Numbers{all[0], all[2], all[1], all[3]};
  return emit.refuse(
      fmt::format("pads is [{}], wanted are top, bottom, left, right", fmt::join(all, ", ")),
      "set_attr_pads({1, 1, 1, 1})");
}

Status conv2d(Emitter& emit) {
  OPKIT_CHECK(check_layout(emit));
  OPKIT_CHECK(emit.only("offset_x", int64_t{0}));
  if (!emit.in("offset_w").empty())
    return emit.refuse("offset_w of quantized weights is not compiled", "leave it out");
  OPKIT_TRY(const Numbers strides, down_and_across(emit, "strides"));
  OPKIT_TRY(const Numbers dilations, down_and_across(emit, "dilations"));
  OPKIT_TRY(const Numbers pads, pads_of(emit));
  std::vector<std::string> inputs = {emit.in("x"), emit.in("filter")};
  if (!emit.in("bias").empty()) inputs.push_back(emit.in("bias"));
  return emit.result("Conv", std::move(inputs),
                     {{"strides", strides},
                      {"dilations", dilations},
                      {"pads", pads},
                      {"group", emit.integer("groups")}});
}

Result<Emitter::Attributes> window_of(const Emitter& emit, const std::string& padding) {
  OPKIT_CHECK(check_layout(emit));
  OPKIT_TRY(const Numbers kernel, down_and_across(emit, "ksize"));
  OPKIT_TRY(const Numbers strides, down_and_across(emit, "strides"));
  Emitter::Attributes window = {{"kernel_shape", kernel}, {"strides", strides}};
  if (padding == "SAME") window["auto_pad"] = std::string("SAME_UPPER");
  if (padding == "VALID") window["auto_pad"] = std::string("VALID");
  return window;
}

Status max_pool(Emitter& emit) {
  const std::string padding = emit.text("padding");
  if (padding != "SAME" && padding != "VALID")
    return emit.refuse("padding is " + padding, "set_attr_padding(\"VALID\")");
  OPKIT_TRY(Emitter::Attributes window, window_of(emit, padding));
  return emit.result("MaxPool", {emit.in("x")}, std::move(window));
}

Result<Emitter::Attributes> pool_window(const Emitter& emit) {
  const std::string mode = emit.text("padding_mode");
  if (mode != "CALCULATED" && mode != "SAME" && mode != "VALID")
    return emit.refuse("padding_mode is " + mode, "set_attr_padding_mode(\"CALCULATED\")");
  OPKIT_TRY(Emitter::Attributes window, window_of(emit, mode));
  if (mode == "CALCULATED") {
    OPKIT_TRY(window["pads"], pads_of(emit));
    window["ceil_mode"] = int64_t{emit.flag("ceil_mode")};
  } else {
    OPKIT_CHECK(emit.only("ceil_mode", false));
  }
  return window;
}

Status max_pool_v3(Emitter& emit) {
  if (emit.flag("global_pooling")) return emit.result("GlobalMaxPool", {emit.in("x")});
  OPKIT_TRY(Emitter::Attributes window, pool_window(emit));
  return emit.result("MaxPool", {emit.in("x")}, std::move(window));
}

Status avg_pool_v2(Emitter& emit) {
  if (emit.flag("global_pooling")) return emit.result("GlobalAveragePool", {emit.in("x")});
  OPKIT_TRY(Emitter::Attributes window, pool_window(emit));
  window["count_include_pad"] = int64_t{!emit.flag("exclusive")};
  return emit.result("AveragePool", {emit.in("x")}, std::move(window));
}

Status global_average(Emitter& emit) { return emit.result("GlobalAveragePool", {emit.in("x")}); }

}  // namespace

Rules window_rules() {
  return {{"Conv2D", conv2d},
          {"MaxPool", max_pool},
          {"MaxPoolV3", max_pool_v3},
          {"AvgPoolV2", avg_pool_v2},
          {"GlobalAveragePool", global_average}};
}

}  // namespace opkit::ge_frontend
