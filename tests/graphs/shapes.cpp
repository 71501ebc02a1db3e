// Operators that move elements, repeat them or leave some out.
#include "tests/graphs/maker.h"

#include <algorithm>
#include <numeric>

namespace opkit::graph_tests {
namespace {

int64_t rank_of(Maker& make, const std::string& x) {
  return static_cast<int64_t>(make.shape(x).rank());
}

// Axes are an operand since version 13.
bool squeeze(Maker& make) {
  const std::string x = make.value(1);
  if (x.empty()) return false;
  Integers axes;
  for (int64_t d = 0; d < rank_of(make, x); ++d) {
    if (make.shape(x)[static_cast<size_t>(d)] != 1 || make.maybe(30)) continue;
    axes.push_back(make.since(11) && make.maybe(30) ? d - rank_of(make, x) : d);
  }
  if (axes.empty() || make.maybe(20)) return make.add("Squeeze", {x});
  if (make.since(13)) return make.add("Squeeze", {x, make.integers(axes)});
  return make.add("Squeeze", {x}, {{"axes", axes}});
}

bool unsqueeze(Maker& make) {
  const std::string x = make.value(0, 3);
  if (x.empty()) return false;
  const size_t rank = make.shape(x).rank() + 1;
  const Integers axes = {make.axis(rank, 11)};
  if (make.since(13)) return make.add("Unsqueeze", {x, make.integers(axes)});
  return make.add("Unsqueeze", {x}, {{"axes", axes}});
}

bool reshape(Maker& make) {
  const std::string x = make.value(1);
  if (x.empty()) return false;
  Integers dims = make.shape(x).dims();
  if (make.maybe() && dims.size() > 1) {
    dims[dims.size() - 2] *= dims.back();
    dims.pop_back();
  } else {
    std::swap(dims.front(), dims.back());
  }
  if (make.maybe(40))
    dims[static_cast<size_t>(make.number(0, static_cast<int64_t>(dims.size()) - 1))] = -1;
  for (size_t d = 0; d < dims.size(); ++d) {
    if (dims[d] == make.shape(x)[d] && make.maybe(30)) dims[d] = 0;
  }
  const bool zeros = std::find(dims.begin(), dims.end(), 0) != dims.end();
  Attributes attributes;
  if (make.since(14) && !zeros && make.maybe(20)) attributes["allowzero"] = int64_t{1};
  return make.add("Reshape", {x, make.integers(dims)}, attributes);
}

bool flatten(Maker& make) {
  const std::string x = make.value(1);
  if (x.empty()) return false;
  if (make.maybe(30)) return make.add("Flatten", {x});
  const int64_t axis = make.number(make.since(11) ? -rank_of(make, x) : 0, rank_of(make, x));
  return make.add("Flatten", {x}, {{"axis", axis}});
}

bool transpose(Maker& make) {
  const std::string x = make.value(1);
  if (x.empty() || make.maybe(20)) return !x.empty() && make.add("Transpose", {x});
  Integers order(make.shape(x).rank());
  std::iota(order.begin(), order.end(), 0);
  for (size_t d = order.size(); d > 1; --d)
    std::swap(order[d - 1],
              order[static_cast<size_t>(make.number(0, static_cast<int64_t>(d) - 1))]);
  return make.add("Transpose", {x}, {{"perm", order}});
}

bool expand(Maker& make) {
  const std::string x = make.value();
  if (!make.since(8)) return false;
  Integers dims = make.shape(x).dims();
  for (int64_t& dim : dims) {
    if (dim == 1 && make.maybe()) dim = make.number(1, 3);
    if (make.maybe(30)) dim = 1;
  }
  if (make.maybe(30)) dims.insert(dims.begin(), make.number(1, 2));
  return make.add("Expand", {x, make.integers(dims)});
}

bool tile(Maker& make) {
  const std::string x = make.value(1);
  if (x.empty()) return false;
  Integers repeats;
  for (int64_t d = 0; d < rank_of(make, x); ++d) repeats.push_back(make.number(1, 2));
  return make.add("Tile", {x, make.integers(repeats)});
}

bool concat(Maker& make) {
  const std::string x = make.value(1);
  if (x.empty()) return false;
  std::vector<std::string> parts = {x};
  for (int64_t i = make.number(0, 2); i > 0; --i)
    parts.push_back(make.maybe() ? x : make.floats(make.shape(x)));
  return make.add("Concat", parts, {{"axis", make.axis(make.shape(x).rank(), 11)}});
}

// Sizes are an operand since version 13, their number an attribute since 18.
bool split(Maker& make) {
  const std::string x = make.value(1);
  if (x.empty()) return false;
  const int64_t rank = rank_of(make, x), axis = make.axis(make.shape(x).rank(), 11);
  const int64_t dim = make.shape(x)[static_cast<size_t>(axis < 0 ? axis + rank : axis)];
  if (dim < 2) return false;
  Attributes attributes = {{"axis", axis}};
  if (axis == 0 && make.maybe()) attributes.clear();
  if (make.maybe()) {
    const int64_t first = make.number(1, dim - 1);
    const Integers sizes = {first, dim - first};
    if (make.since(13)) return make.add("Split", {x, make.integers(sizes)}, attributes, 2);
    attributes["split"] = sizes;
    return make.add("Split", {x}, attributes, 2);
  }
  if (make.since(18)) attributes["num_outputs"] = int64_t{2};
  return (dim % 2 == 0 || make.since(18)) && make.add("Split", {x}, attributes, 2);
}

// Bounds are operands since version 10, with steps.
bool slice(Maker& make) {
  const std::string x = make.value(1);
  if (x.empty()) return false;
  Integers axes = make.some_axes(make.shape(x).rank(), 10), starts, ends, steps;
  for (const int64_t axis : axes) {
    const auto d = static_cast<size_t>(axis < 0 ? axis + rank_of(make, x) : axis);
    const int64_t dim = make.shape(x)[d];
    steps.push_back(make.since(10) && make.maybe(40) ? make.one_of<int64_t>({-2, -1, 2}) : 1);
    int64_t start = make.number(0, dim - 1), end = make.number(start + 1, dim + 2);
    if (steps.back() < 0) end = make.number(-dim - 2, -dim - 1);
    if (make.maybe(30)) start -= dim;
    starts.push_back(start);
    ends.push_back(steps.back() > 0 && make.maybe(20) ? 2147483647 : end);
  }
  const bool from_first = make.maybe(20);
  if (from_first) {
    starts.resize(1), ends.resize(1), steps.resize(1);
    steps[0] = 1, starts[0] = 0, ends[0] = make.number(1, 5);
  }
  if (make.since(10)) {
    return make.add(
        "Slice", {x, make.integers(starts), make.integers(ends),
                  from_first ? "" : make.integers(axes), from_first ? "" : make.integers(steps)});
  }
  Attributes attributes = {{"starts", starts}, {"ends", ends}};
  if (!from_first) attributes["axes"] = axes;
  return make.add("Slice", {x}, attributes);
}

// Pads are operands since version 11, with axes since 18.
bool pad(Maker& make) {
  const std::string x = make.value(1);
  if (x.empty()) return false;
  std::vector<std::string> modes = {"constant", "constant", "reflect", "edge"};
  if (make.since(19)) modes.push_back("wrap");
  const std::string mode = make.one_of(modes);
  const bool some = make.since(18) && make.maybe(40);
  const Integers axes = make.some_axes(make.shape(x).rank(), 18);
  Integers pads;
  for (size_t i = 0; i < 2 * (some ? axes.size() : make.shape(x).rank()); ++i)
    pads.push_back(make.maybe() ? 0 : make.number(mode == "constant" ? -1 : 0, 1));
  Attributes attributes;
  if (mode != "constant" || make.maybe()) attributes["mode"] = mode;
  const double fill = make.maybe(30) ? 1.5 : 0;
  if (make.since(11)) {
    return make.add("Pad",
                    {x, make.integers(pads), fill != 0 ? make.scalar(fill) : "",
                     some ? make.integers(axes) : ""},
                    attributes);
  }
  attributes["pads"] = pads;
  if (fill != 0) attributes["value"] = fill;
  return make.add("Pad", {x}, attributes);
}

bool depth_to_space(Maker& make) {
  const std::string x = make.value(4, 4);
  if (x.empty()) return false;
  if (make.maybe()) return make.add("SpaceToDepth", {x}, {{"blocksize", int64_t{2}}});
  Attributes attributes = {{"blocksize", int64_t{2}}};
  if (make.since(11) && make.maybe())
    attributes["mode"] = std::string(make.maybe() ? "DCR" : "CRD");
  return make.add("DepthToSpace", {x}, attributes);
}

// Does what exporters do with dims: read, cut, joined, and used.
bool of_shape(Maker& make) {
  const std::string x = make.value(1);
  if (x.empty() || !make.since(9)) return false;
  Attributes attributes;
  if (make.since(15) && make.maybe(30)) attributes["start"] = int64_t{0};
  if (make.since(15) && make.maybe(30)) attributes["end"] = rank_of(make, x);
  return make.add("Shape", {x}, attributes);
}

}  // namespace

const std::vector<Adder>& shape_adders() {
  static const std::vector<Adder> kAdders = {
      squeeze, unsqueeze, reshape, flatten, transpose, expand, tile,     concat,
      split,   split,     slice,   slice,   pad,       pad,    of_shape, depth_to_space};
  return kAdders;
}

}  // namespace opkit::graph_tests
