#include "opkit/model/export/texts.h"

namespace opkit::model_export {

const char* const kOneDnnSteps = R"source(// The primitives of the steps on oneDNN.
#include <cstring>
#include <optional>

#include "onednn.h"

namespace onednn {

memory::desc dense(const Tensor& t);

namespace {

using Kind = dnnl::prop_kind;
constexpr auto kFloat = memory::data_type::f32;
constexpr auto kUse = Kind::forward_inference;

memory::desc any(const Sizes& dims) { return {dims, kFloat, memory::format_tag::any}; }

// None where the library has no form, or the plain one that it keeps
// for comparisons.
template <class Make>
auto made(Make make) -> std::optional<decltype(make())> {
  try {
    auto found = make();
    if (std::strstr(found.impl_info_str(), "ref") != nullptr) return std::nullopt;
    return found;
  } catch (const dnnl::error&) {
    return std::nullopt;
  }
}

bool is_binary(const Then& then) { return then.operand.place != nullptr; }
bool is_sum(const Thens& thens, const Tensor& y) {
  return !thens.empty() && thens[0].what == algorithm::binary_add && is_binary(thens[0]) &&
         thens[0].operand.dims == y.dims;
}

struct Pads {
  Sizes steps, dilations, before, after;
  bool dilated = false;
  // Tells whether the window ends where its pads say.
  bool exact = true;
};
Pads pads_of(const loops::Window& window) {
  Pads pads;
  for (const loops::Along* one : {&window.down, &window.across}) {
    pads.steps.push_back(one->step);
    pads.dilations.push_back(one->dilation - 1);
    pads.before.push_back(one->before);
    pads.after.push_back((one->out - 1) * one->step + (one->kernel - 1) * one->dilation + 1 -
                         one->in - one->before);
    pads.dilated = pads.dilated || one->dilation != 1;
    pads.exact = pads.exact && pads.after.back() == one->after;
  }
  return pads;
}

}  // namespace

dnnl::primitive_attr Plan::attributes(const Thens& thens, bool summed) const {
  dnnl::post_ops ops;
  if (summed) ops.append_sum(1);
  for (size_t i = summed ? 1 : 0; i < thens.size(); ++i) {
    const Then& then = thens[i];
    if (!is_binary(then))
      ops.append_eltwise(1, then.what, then.alpha, then.beta);
    else
      ops.append_binary(then.what, layout(then.operand));
  }
  dnnl::primitive_attr attributes;
  attributes.set_post_ops(ops);
  return attributes;
}

void Plan::add_operands(const Thens& thens, size_t first, Arguments& arguments) {
  for (size_t i = first; i < thens.size(); ++i) {
    if (!is_binary(thens[i])) continue;
    arguments[DNNL_ARG_ATTR_MULTIPLE_POST_OP(static_cast<int>(i)) | DNNL_ARG_SRC_1] =
        read(thens[i].operand, layout(thens[i].operand));
  }
}

bool Plan::conv(const loops::Window& window, int64_t groups, const Tensor& x, const Tensor& w,
                const Tensor& bias, const Tensor& y, const Thens& thens) {
  using Forward = dnnl::convolution_forward;
  const Pads pads = pads_of(window);
  Tensor weights = w;
  if (groups > 1) {
    weights.dims[0] /= groups;
    weights.dims.insert(weights.dims.begin(), groups);
  }
  const bool summed = is_sum(thens, y), biased = bias.place != nullptr;
  const auto found = made([&] {
    const auto all = attributes(thens, summed);
    if (!biased)
      return Forward::primitive_desc(
          {kUse, algorithm::convolution_direct, any(x.dims), any(weights.dims), any(y.dims),
           pads.steps, pads.dilations, pads.before, pads.after},
          all, engine_);
    return Forward::primitive_desc(
        {kUse, algorithm::convolution_direct, any(x.dims), any(weights.dims), dense(bias),
         any(y.dims), pads.steps, pads.dilations, pads.before, pads.after},
        all, engine_);
  });
  if (!found) return false;
  Arguments arguments = {{DNNL_ARG_SRC, read(x, found->src_desc())},
                         {DNNL_ARG_WEIGHTS, read(weights, found->weights_desc())}};
  if (biased) arguments[DNNL_ARG_BIAS] = read(bias, dense(bias));
  add_operands(thens, summed ? 1 : 0, arguments);
  arguments[DNNL_ARG_DST] =
      summed ? write_sum(thens[0], thens[0].operand.place != x.place, y, found->dst_desc())
             : write(y, found->dst_desc());
  add(Forward(*found), arguments);
  return true;
}

bool Plan::matmul(const Tensor& a, const Tensor& b, const Tensor& bias, const Tensor& y,
                  const Thens& thens) {
  const bool biased = bias.place != nullptr;
  const memory::desc weights = b.constant ? any(b.dims) : dense(b);
  const bool summed = is_sum(thens, y);
  const auto found = made([&] {
    const auto all = attributes(thens, summed);
    if (!biased)
      return dnnl::matmul::primitive_desc({dense(a), weights, dense(y)}, all, engine_);
    return dnnl::matmul::primitive_desc({dense(a), weights, dense(bias), dense(y)}, all, engine_);
  });
  if (!found) return false;
  Arguments arguments = {{DNNL_ARG_SRC, read(a, found->src_desc())},
                         {DNNL_ARG_WEIGHTS, read(b, found->weights_desc())}};
  if (biased) arguments[DNNL_ARG_BIAS] = read(bias, dense(bias));
  add_operands(thens, summed ? 1 : 0, arguments);
  arguments[DNNL_ARG_DST] =
      summed ? write_sum(thens[0], false, y, found->dst_desc()) : write(y, found->dst_desc());
  add(dnnl::matmul(*found), arguments);
  return true;
}

bool Plan::pool(const loops::Window& window, algorithm kind, const Tensor& x, const Tensor& y) {
  using Forward = dnnl::pooling_forward;
  const Pads pads = pads_of(window);
  if (pads.dilated || (!pads.exact && kind == algorithm::pooling_avg_include_padding)) return false;
  const Sizes kernel = {window.down.kernel, window.across.kernel};
  const auto found = made([&] {
    return Forward::primitive_desc({kUse, kind, layout(x), any(y.dims), pads.steps, kernel,
                                    pads.before, pads.after},
                                   engine_);
  });
  if (!found) return false;
  const memory from = read(x, found->src_desc());
  add(Forward(*found), {{DNNL_ARG_SRC, from}, {DNNL_ARG_DST, write(y, found->dst_desc())}});
  return true;
}

bool Plan::apply(const Then& then, const Tensor& x, const Tensor& y) {
  const memory::desc own = layout(x);
  if (!is_binary(then)) {
    const auto found = made([&] {
      return dnnl::eltwise_forward::primitive_desc({kUse, then.what, own, then.alpha, then.beta},
                                                   engine_);
    });
    if (!found) return false;
    const memory from = read(x, own);
    add(dnnl::eltwise_forward(*found), {{DNNL_ARG_SRC, from}, {DNNL_ARG_DST, write(y, own)}});
    return true;
  }
  const memory::desc other = then.operand.dims == x.dims ? own : layout(then.operand);
  const auto found = made(
      [&] { return dnnl::binary::primitive_desc({then.what, own, other, own}, engine_); });
  if (!found) return false;
  const memory a = read(x, own), b = read(then.operand, other);
  add(dnnl::binary(*found),
      {{DNNL_ARG_SRC_0, a}, {DNNL_ARG_SRC_1, b}, {DNNL_ARG_DST, write(y, own)}});
  return true;
}

bool Plan::softmax(int axis, const Tensor& x, const Tensor& y) {
  using Forward = dnnl::softmax_forward;
  const auto found =
      made([&] { return Forward::primitive_desc({kUse, dense(x), axis}, engine_); });
  if (!found) return false;
  const memory from = read(x, dense(x));
  add(Forward(*found), {{DNNL_ARG_SRC, from}, {DNNL_ARG_DST, write(y, dense(y))}});
  return true;
}

bool Plan::layer_norm(float epsilon, const Tensor& x, const Tensor& scale, const Tensor& bias,
                      const Tensor& y) {
  using Forward = dnnl::layer_normalization_forward;
  auto flags = dnnl::normalization_flags::use_scale;
  if (bias.place != nullptr) flags = flags | dnnl::normalization_flags::use_shift;
  const auto found =
      made([&] { return Forward::primitive_desc({kUse, dense(x), epsilon, flags}, engine_); });
  if (!found) return false;
  Arguments arguments = {{DNNL_ARG_SRC, read(x, dense(x))},
                         {DNNL_ARG_SCALE, read(scale, dense(scale))}};
  if (bias.place != nullptr) arguments[DNNL_ARG_SHIFT] = read(bias, dense(bias));
  arguments[DNNL_ARG_DST] = write(y, dense(y));
  add(Forward(*found), arguments);
  return true;
}

bool Plan::join(int axis, const std::vector<Tensor>& x, const Tensor& y) {
  std::vector<memory::desc> parts;
  for (const Tensor& one : x) parts.push_back(layout(one));
  const auto found = made([&] { return dnnl::concat::primitive_desc(axis, parts, engine_); });
  if (!found) return false;
  Arguments arguments;
  for (size_t i = 0; i < x.size(); ++i)
    arguments[DNNL_ARG_MULTIPLE_SRC + static_cast<int>(i)] = read(x[i], parts[i]);
  arguments[DNNL_ARG_DST] = write(y, found->dst_desc());
  add(dnnl::concat(*found), arguments);
  return true;
}

bool Plan::move(const Tensor& x, const Tensor& y) {
  const auto found = made([&] {
    return dnnl::reorder::primitive_desc(engine_, dense(x), engine_, dense(y));
  });
  if (!found) return false;
  make_dense(x.place);
  const memory from(dense(x), engine_, x.place), to = write(y, dense(y));
  add(dnnl::reorder(*found), {{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}});
  return true;
}

}  // namespace onednn
)source";

}  // namespace opkit::model_export
