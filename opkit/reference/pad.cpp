// Pad: constant, reflect, edge, wrap; negative pads crop.
#include <algorithm>

#include "opkit/reference/families.h"
#include "opkit/reference/index.h"

namespace opkit::reference {
namespace {

// Pads per dim: begin, then end.
struct Pads {
  std::vector<int64_t> begin, end;
};

// Pads are an attribute ("pads") before version 11, input 1 since; input 3 names the padded axes
// (version 18).
Result<Pads> read_pads(const OperatorCall& call, size_t rank) {
  OPKIT_TRY(const auto given, call.integers_from(1, "pads"));
  if (!given) return call.error(kBadArity, "no pads are given", "give input 1");
  std::vector<int64_t> axes(rank);
  for (size_t d = 0; d < rank; ++d) axes[d] = static_cast<int64_t>(d);
  if (call.has_input(3)) {
    OPKIT_TRY(axes, call.integers_of(3));
    OPKIT_TRY([[maybe_unused]] const std::vector<size_t> checked, call.axes(axes, rank));
  }
  const bool bounded = std::all_of(given->begin(), given->end(),
                                   [](int64_t p) { return p > -kMaxElements && p < kMaxElements; });
  if (given->size() != 2 * axes.size() || !bounded) {
    return call.shape_error("pads must have two values per padded axis");
  }
  Pads pads{std::vector<int64_t>(rank, 0), std::vector<int64_t>(rank, 0)};
  for (size_t i = 0; i < axes.size(); ++i) {
    const size_t d =
        static_cast<size_t>(axes[i] < 0 ? axes[i] + static_cast<int64_t>(rank) : axes[i]);
    pads.begin[d] = (*given)[i];
    pads.end[d] = (*given)[axes.size() + i];
  }
  return pads;
}

int64_t modulo(int64_t value, int64_t by) { return ((value % by) + by) % by; }

// Position in [0, size) of a position outside. REQUIRES: size >= 1.
int64_t reflected(int64_t at, int64_t size) {
  if (size == 1) return 0;
  const int64_t period = modulo(at, 2 * (size - 1));
  return period < size ? period : 2 * (size - 1) - period;
}

int64_t source(const std::string& mode, int64_t at, int64_t size) {
  if (mode == "reflect") return reflected(at, size);
  if (mode == "edge") return std::clamp<int64_t>(at, 0, size - 1);
  return modulo(at, size);
}

Result<double> fill_value(const OperatorCall& call) {
  if (call.has_input(2)) return call.scalar_of(2);
  return call.number("value");
}

Result<Outputs> pad(const OperatorCall& call) {
  const RefTensor& x = call.input(0);
  const std::string mode = call.text("mode");
  OPKIT_TRY(const Pads pads, read_pads(call, x.shape.rank()));
  OPKIT_TRY(const double fill, fill_value(call));
  OPKIT_TRY(RefTensor out, call.result());
  Index from(out.shape.rank());
  int64_t position = 0;
  for_each_index(out.shape, [&](const Index& to) {
    bool inside = true;
    for (size_t d = 0; d < from.size(); ++d) {
      from[d] = to[d] - pads.begin[d];
      if (from[d] >= 0 && from[d] < x.shape[d]) continue;
      inside = inside && mode != "constant";
      if (mode != "constant") from[d] = source(mode, from[d], x.shape[d]);
    }
    out[position++] = inside ? x[offset_of(x.shape, from)] : fill;
  });
  return only(std::move(out));
}

Result<DTypes> padded_type(const OperatorCall& call) {
  for (const size_t i : {1, 3}) {
    if (call.has_input(i)) OPKIT_CHECK(call.require_integer(i));
  }
  return first_type(call);
}

Result<Shapes> padded_shape(const OperatorCall& call) {
  const std::string mode = call.text("mode");
  if (mode != "constant" && mode != "reflect" && mode != "edge" && mode != "wrap")
    return call.attribute_error("mode '" + mode + "' is unknown");
  if (call.has_input(2)) OPKIT_CHECK(call.require_one_element(2));
  if (!call.known(1) || !call.known(3)) return Shapes();
  Shape shape = call.input(0).shape;
  OPKIT_TRY(const Pads pads, read_pads(call, shape.rank()));
  const bool empty = product(shape, 0, shape.rank()) == 0;
  for (size_t d = 0; d < shape.rank(); ++d) shape[d] += pads.begin[d] + pads.end[d];
  OPKIT_CHECK(call.check_size(shape));
  if (mode != "constant" && empty && product(shape, 0, shape.rank()) != 0)
    return call.shape_error("an empty tensor has nothing to repeat");
  return one(std::move(shape));
}

}  // namespace

Operators pad_operators() {
  return {{.name = "Pad",
           .most_inputs = 4,
           .attributes = {text("mode", "constant"), integers("pads"), number("value", 0)},
           .evaluate = pad,
           .types = padded_type,
           .shapes = padded_shape,
           .bound = Bound::moved()}};
}

}  // namespace opkit::reference
