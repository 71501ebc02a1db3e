// Operators that move elements, or only their dims.
#include "opkit/ge/emitter.h"

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

Status concat(Emitter& emit) {
  return emit.result("Concat", emit.all("x"), {{"axis", emit.integer("concat_dim")}});
}

}  // namespace

Rules shape_rules() {
  return {{"Reshape", reshape},     {"FlattenV2", flatten},    {"Squeeze", squeeze},
          {"Unsqueeze", unsqueeze}, {"TransposeD", transpose}, {"ConcatD", concat}};
}

}  // namespace opkit::ge_frontend
