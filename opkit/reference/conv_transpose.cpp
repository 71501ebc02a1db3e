// ConvTranspose: every input element scatters a weighted kernel into the output.
#include <algorithm>

#include "opkit/reference/families.h"
#include "opkit/reference/index.h"
#include "opkit/reference/window.h"

namespace opkit::reference {
namespace {

struct Geometry {
  std::vector<int64_t> strides, dilations, pads_begin;
  Shape output;  // spatial
};

Result<std::vector<int64_t>> list(const OperatorCall& call, std::string_view name, size_t size,
                                  int64_t otherwise, int64_t least) {
  std::vector<int64_t> values = call.integers(name, std::vector<int64_t>(size, otherwise));
  const bool good = values.size() == size &&
                    std::all_of(values.begin(), values.end(),
                                [&](int64_t v) { return v >= least && v < (int64_t{1} << 31); });
  if (good) return values;
  return call.attribute_error(std::string(name) + " must have " + std::to_string(size) +
                              " values of at least " + std::to_string(least));
}

// Without output_shape and SAME_*: the pads are given. Otherwise the output's size is, and the pads
// follow: total = full size - wanted size, the odd one at the end for SAME_UPPER.
Result<Geometry> read_geometry(const OperatorCall& call, const Shape& input, const Shape& kernel) {
  const size_t rank = input.rank();
  Geometry g;
  OPKIT_TRY(g.strides, list(call, "strides", rank, 1, 1));
  OPKIT_TRY(g.dilations, list(call, "dilations", rank, 1, 1));
  OPKIT_TRY(const std::vector<int64_t> extra, list(call, "output_padding", rank, 0, 0));
  OPKIT_TRY(const std::vector<int64_t> pads, list(call, "pads", 2 * rank, 0, 0));
  OPKIT_TRY(const std::vector<int64_t> wanted, list(call, "output_shape", rank, 0, 0));
  const std::string automatic = call.text("auto_pad");
  const bool same = automatic == "SAME_UPPER" || automatic == "SAME_LOWER";
  if (!same && automatic != "NOTSET" && automatic != "VALID") {
    return call.attribute_error("auto_pad '" + automatic + "' is unknown");
  }
  const bool sized = call.has_attribute("output_shape");
  std::vector<int64_t> dims;
  for (size_t d = 0; d < rank; ++d) {
    const int64_t full =
        g.strides[d] * (input[d] - 1) + extra[d] + (kernel[d] - 1) * g.dilations[d] + 1;
    if (sized || same) {
      const int64_t size = sized ? wanted[d] : input[d] * g.strides[d];
      const int64_t total = std::max<int64_t>(full - size, 0);
      g.pads_begin.push_back(automatic == "SAME_UPPER" ? total / 2 : total - total / 2);
      dims.push_back(size);
    } else {
      g.pads_begin.push_back(pads[d]);
      dims.push_back(full - pads[d] - pads[rank + d]);
    }
  }
  g.output = Shape(std::move(dims));
  return g;
}

// Output offset that kernel element `k` of input element `at` reaches, if it lies in the output.
std::optional<int64_t> target(const Geometry& g, const Index& at, const Index& k) {
  Index position(at.size());
  for (size_t d = 0; d < at.size(); ++d) {
    position[d] = at[d] * g.strides[d] + k[d] * g.dilations[d] - g.pads_begin[d];
    if (position[d] < 0 || position[d] >= g.output[d]) return std::nullopt;
  }
  return offset_of(g.output, position);
}

Status check(const OperatorCall& call, int64_t groups) {
  const Shape &x = call.input(0).shape, &w = call.input(1).shape;
  if (x.rank() < 3 || x.rank() != w.rank() || groups < 1 || groups > x[1] || x[1] != w[0] ||
      x[1] % groups != 0) {
    return call.shape_error("x " + x.to_string() + " and w " + w.to_string() + " do not fit in " +
                            std::to_string(groups) + " groups");
  }
  if (call.has_attribute("kernel_shape") && call.integers("kernel_shape") != spatial(w).dims()) {
    return call.attribute_error("kernel_shape differs from the dims of w " + w.to_string());
  }
  if (call.has_input(2) && call.input(2).shape != Shape{w[1] * groups}) {
    return call.shape_error("bias " + call.input(2).shape.to_string() + " does not fit the maps");
  }
  return {};
}

// w is [C, M / groups, kernel...].
Result<Outputs> conv_transpose(const OperatorCall& call) {
  const int64_t groups = call.integer("group");
  const RefTensor &x = call.input(0), &w = call.input(1);
  const Shape input = spatial(x.shape), kernel = spatial(w.shape);
  OPKIT_TRY(const Geometry g, read_geometry(call, input, kernel));
  const int64_t batch = x.shape[0], channels = x.shape[1], maps = w.shape[1];
  OPKIT_TRY(RefTensor y, call.result());
  const int64_t in_plane = input.elements(), out_plane = g.output.elements();
  const int64_t kernel_size = kernel.elements();
  for (int64_t i = 0; call.has_input(2) && i < y.elements(); ++i) {
    y[i] = call.input(2)[i / out_plane % (maps * groups)];
  }
  for_each_index(input, [&](const Index& at) {
    for_each_index(kernel, [&](const Index& k) {
      const std::optional<int64_t> to = target(g, at, k);
      if (!to) return;
      const int64_t from = offset_of(input, at), weight = offset_of(kernel, k);
      for (int64_t n = 0; n < batch; ++n) {
        for (int64_t c = 0; c < channels; ++c) {
          const int64_t first_map = c / (channels / groups) * maps;
          for (int64_t m = 0; m < maps; ++m) {
            y[(n * maps * groups + first_map + m) * out_plane + *to] +=
                x[(n * channels + c) * in_plane + from] * w[(c * maps + m) * kernel_size + weight];
          }
        }
      }
    });
  });
  return only(std::move(y));
}

Result<Shapes> conv_transpose_shape(const OperatorCall& call) {
  const int64_t groups = call.integer("group");
  OPKIT_CHECK(check(call, groups));
  const Shape &x = call.input(0).shape, &w = call.input(1).shape;
  OPKIT_TRY(const Geometry g, read_geometry(call, spatial(x), spatial(w)));
  return checked(call, with_spatial(x[0], w[1] * groups, g.output));
}

}  // namespace

Operators conv_transpose_operators() {
  return {{.name = "ConvTranspose",
           .least_inputs = 2,
           .most_inputs = 3,
           .attributes = window_attributes({integer("group", 1), integers("kernel_shape"),
                                            integers("output_padding"), integers("output_shape")}),
           .evaluate = conv_transpose,
           .types = same_float_type,
           .shapes = conv_transpose_shape,
           .bound = Bound::multiplied()}};
}

}  // namespace opkit::reference
