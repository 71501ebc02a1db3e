// Normalizations, softmax and reductions.
#include <fmt/format.h>

#include "opkit/atc/ge/emitter.h"

namespace opkit::ge_frontend {
namespace {

Status batch_norm(Emitter& emit) {
  if (emit.flag("is_training") || emit.in("mean").empty() || emit.in("variance").empty())
    return emit.refuse("only inference is compiled, with mean and variance",
                       "set_attr_is_training(false), set_input_mean, set_input_variance");
  if (emit.text("data_format") != "NCHW")
    return emit.refuse(
        fmt::format("data_format is {}, only NCHW is compiled", emit.text("data_format")),
        "give the images in NCHW and set_attr_data_format(\"NCHW\")");
  return emit.result(
      "BatchNormalization",
      {emit.in("x"), emit.in("scale"), emit.in("offset"), emit.in("mean"), emit.in("variance")},
      {{"epsilon", emit.number("epsilon")}});
}

Status layer_norm(Emitter& emit) {
  const int64_t axis = emit.integer("begin_norm_axis");
  OPKIT_CHECK(emit.only("begin_params_axis", axis));
  return emit.result("LayerNormalization", {emit.in("x"), emit.in("gamma"), emit.in("beta")},
                     {{"axis", axis}, {"epsilon", emit.number("epsilon")}});
}

Status along_one(Emitter& emit, const char* type, const char* input) {
  const std::vector<int64_t> axes = emit.list("axes");
  if (axes.size() != 1)
    return emit.refuse(
        fmt::format("axes is [{}], only one axis is compiled", fmt::join(axes, ", ")),
        "set_attr_axes({-1})");
  return emit.result(type, {emit.in(input)}, {{"axis", axes[0]}});
}

Status softmax(Emitter& emit) {
  OPKIT_CHECK(emit.only("half_to_float", false));
  return along_one(emit, "Softmax", "x");
}

Status log_softmax(Emitter& emit) { return along_one(emit, "LogSoftmax", "logits"); }

// Writes a ReduceSum: in the version of the graph its axes are an input, those of other reductions
// an attribute.
Status reduce_sum(Emitter& emit) {
  return emit.result("ReduceSum", {emit.in("x"), emit.constant(emit.list("axes"))},
                     {{"keepdims", int64_t{emit.flag("keep_dims")}}});
}

Status reduce(Emitter& emit) {
  const std::string type = emit.type().substr(0, emit.type().size() - 1);  // without the D
  return emit.result(type, {emit.in("x")},
                     {{"axes", emit.list("axes")}, {"keepdims", int64_t{emit.flag("keep_dims")}}});
}

}  // namespace

Rules row_rules() {
  return {{"BatchNorm", batch_norm},     {"LayerNorm", layer_norm},  {"SoftmaxV2", softmax},
          {"LogSoftmaxV2", log_softmax}, {"ReduceSumD", reduce_sum}, {"ReduceMeanD", reduce},
          {"ReduceMaxD", reduce},        {"ReduceMinD", reduce}};
}

}  // namespace opkit::ge_frontend
