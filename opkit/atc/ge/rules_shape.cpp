// Operators that move elements, or only their dims.
#include "opkit/atc/ge/emitter.h"

namespace opkit::ge_frontend {
namespace {

Status reshape(Emitter& emit) {
  OPKIT_CHECK(emit.only("axis", int64_t{0}));
  OPKIT_CHECK(emit.only("num_axes", int64_t{-1}));
  const std::string shape = emit.inner("Cast", {emit.in("shape")}, {{"to", std::string("int64")}});
  return emit.result("Reshape", {emit.in("x"), shape});
}

Status flatten(Emitter& emit) {
  OPKIT_CHECK(emit.only("end_axis", int64_t{-1}));
  OPKIT_CHECK(emit.only("axis", int64_t{1}));
  return emit.result("Flatten", {emit.in("x")}, {{"axis", int64_t{1}}});
}

// Without axes every dim of 1 goes.
Status squeeze(Emitter& emit) {
  const std::vector<int64_t> axes = emit.list("axis");
  if (axes.empty()) return emit.result("Squeeze", {emit.in("x")});
  return emit.result("Squeeze", {emit.in("x"), emit.constant(axes)});
}

Status unsqueeze(Emitter& emit) {
  if (emit.list("axes").empty()) return emit.refuse("axes is empty", "set_attr_axes({0})");
  return emit.result("Unsqueeze", {emit.in("x"), emit.constant(emit.list("axes"))});
}

Status transpose(Emitter& emit) {
  return emit.result("Transpose", {emit.in("x")}, {{"perm", emit.list("perm")}});
}

Status transpose_by(Emitter& emit) {
  OPKIT_TRY(const std::vector<int64_t> perm, emit.numbers("perm"));
  return emit.result("Transpose", {emit.in("x")}, {{"perm", perm}});
}

Status permute(Emitter& emit) {
  return emit.result("Transpose", {emit.in("x")}, {{"perm", emit.list("order")}});
}

Status expand_dims(Emitter& emit) {
  OPKIT_TRY(const int64_t axis, emit.number_in("axis"));
  return emit.result("Unsqueeze", {emit.in("x"), emit.constant({axis})});
}

Status pack(Emitter& emit) {
  const int64_t axis = emit.integer("axis");
  const std::string axes = emit.constant({axis});
  std::vector<std::string> parts;
  for (const std::string& x : emit.all("x")) parts.push_back(emit.inner("Unsqueeze", {x, axes}));
  return emit.result("Concat", std::move(parts), {{"axis", axis}});
}

Status concat_v2(Emitter& emit) {
  OPKIT_TRY(const int64_t axis, emit.number_in("concat_dim"));
  return emit.result("Concat", emit.all("x"), {{"axis", axis}});
}

Status gather(Emitter& emit) {
  OPKIT_CHECK(emit.only("batch_dims", int64_t{0}));
  OPKIT_TRY(const int64_t axis, emit.number_in("axis"));
  return emit.result("Gather", {emit.in("x"), emit.in("indices")}, {{"axis", axis}});
}

Status tile(Emitter& emit) {
  OPKIT_TRY(const std::vector<int64_t> multiples, emit.numbers("multiples"));
  return emit.result("Tile", {emit.in("x"), emit.constant(multiples)});
}

Status broadcast_to(Emitter& emit) {
  OPKIT_TRY(const std::vector<int64_t> shape, emit.numbers("shape"));
  return emit.result("Expand", {emit.in("x"), emit.constant(shape)});
}

Status concat(Emitter& emit) {
  return emit.result("Concat", emit.all("x"), {{"axis", emit.integer("concat_dim")}});
}

}  // namespace

Rules shape_rules() {
  return {{"Reshape", reshape},
          {"FlattenV2", flatten},
          {"Squeeze", squeeze},
          {"Unsqueeze", unsqueeze},
          {"TransposeD", transpose},
          {"ConcatD", concat},
          {"Transpose", transpose_by},
          {"Permute", permute},
          {"ExpandDims", expand_dims},
          {"Pack", pack},
          {"ConcatV2", concat_v2},
          {"GatherV2", gather},
          {"Tile", tile},
          {"BroadcastTo", broadcast_to}};
}

}  // namespace opkit::ge_frontend
