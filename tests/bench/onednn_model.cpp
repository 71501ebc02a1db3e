#include "tests/bench/onednn_model.h"

#include <algorithm>
#include <stdexcept>

namespace opkit::bench {
namespace {

using dnnl::algorithm;
using dnnl::memory;
using dnnl::prop_kind;
using graph::Node;
using Tag = memory::format_tag;

const memory::dims& list(const Node& node, const std::string& name) {
  return std::get<std::vector<int64_t>>(node.attributes.at(name));
}

// ONNX has the pads of all beginnings in front of those of all ends.
memory::dims pads(const Node& node, size_t from) {
  const memory::dims& all = list(node, "pads");
  return {all[from], all[from + 1]};
}

Tag dense(size_t rank) { return rank == 4 ? Tag::nchw : Tag::nc; }

}  // namespace

OneDnnModel::OneDnnModel(const graph::Graph& graph, memory::data_type type)
    : graph_(graph), type_(type) {
  const std::string& name = graph.inputs.at(0);
  const memory::dims dims = dims_of(name);
  input_ = memory({dims, memory::data_type::f32, dense(dims.size())}, engine_);
  values_.emplace(name, input_);
  for (const Node& node : graph.nodes) {
    if (taken_.insert(&node).second) lower(node);
  }
  finish(graph.outputs.at(0));
}

void OneDnnModel::run(const float* x, float* y) {
  std::copy_n(x, input_.get_desc().get_size() / sizeof(float),
              static_cast<float*>(input_.get_data_handle()));
  for (Step& step : steps_) step.primitive.execute(stream_, step.arguments);
  stream_.wait();
  std::copy_n(static_cast<const float*>(output_.get_data_handle()),
              output_.get_desc().get_size() / sizeof(float), y);
}

void OneDnnModel::lower(const Node& node) {
  if (node.op_type == "Conv") return convolution(node);
  if (node.op_type == "MaxPool" || node.op_type == "GlobalAveragePool") return pool(node);
  if (node.op_type == "Gemm") return linear(node);
  if (node.op_type != "Reshape") throw std::invalid_argument(node.op_type);
  values_.emplace(node.outputs[0], values_.at(node.inputs[0]));  // a linear end takes both
}

void OneDnnModel::convolution(const Node& node) {
  const Tail tail = tail_of(node);
  dnnl::post_ops fused;
  if (!tail.summand.empty()) fused.append_sum(1);
  if (tail.relu) fused.append_eltwise(1, algorithm::eltwise_relu, 0, 0);
  dnnl::primitive_attr attributes;
  attributes.set_post_ops(fused);
  const memory& x = values_.at(node.inputs[0]);
  const memory::dims w = dims_of(node.inputs[1]), y = dims_of(node.outputs[0]);
  const memory::desc to =
      tail.summand.empty() ? memory::desc(y, type_, Tag::any) : values_.at(tail.summand).get_desc();
  const dnnl::convolution_forward::desc what(
      prop_kind::forward_inference, algorithm::convolution_direct,
      {x.get_desc().dims(), type_, Tag::any}, {w, type_, Tag::any},
      {{w[0]}, memory::data_type::f32, Tag::x}, to, list(node, "strides"), pads(node, 0),
      pads(node, 2));
  const dnnl::convolution_forward::primitive_desc chosen(what, attributes, engine_);
  const memory from = in_layout(x, chosen.src_desc());
  memory result =
      tail.summand.empty() ? memory(chosen.dst_desc(), engine_) : values_.at(tail.summand);
  steps_.push_back({dnnl::convolution_forward(chosen),
                    {{DNNL_ARG_SRC, from},
                     {DNNL_ARG_WEIGHTS, constant(node.inputs[1], w, Tag::oihw,
                                                 memory::data_type::f32, chosen.weights_desc())},
                     {DNNL_ARG_BIAS, constant(node.inputs[2], {w[0]}, Tag::x,
                                              memory::data_type::f32, chosen.bias_desc())},
                     {DNNL_ARG_DST, result}}});
  values_.emplace(tail.value, result);
}

OneDnnModel::Tail OneDnnModel::tail_of(const Node& node) {
  Tail tail{node.outputs[0], {}, false};
  const Node* next = only_reader(tail.value);
  if (next && next->op_type == "Add") {
    const std::string& other = next->inputs[0] == tail.value ? next->inputs[1] : next->inputs[0];
    if (!values_.contains(other) || !is_last_use(other, *next)) return tail;
    taken_.insert(next);
    tail.summand = other;
    tail.value = next->outputs[0];
    next = only_reader(tail.value);
  }
  // The result of a sum may have several readers; its ReLU has one result all the same.
  if (next && next->op_type == "Relu") {
    taken_.insert(next);
    tail.relu = true;
    tail.value = next->outputs[0];
  }
  return tail;
}

const Node* OneDnnModel::only_reader(const std::string& value) const {
  const Node* found = nullptr;
  for (const Node& node : graph_.nodes) {
    if (std::count(node.inputs.begin(), node.inputs.end(), value) == 0) continue;
    if (found) return nullptr;
    found = &node;
  }
  return found;
}

// Tells whether nobody reads the value behind `reader`, or between what is lowered now and
// `reader`.
bool OneDnnModel::is_last_use(const std::string& value, const Node& reader) const {
  const auto reads = [&](const Node& node) {
    return &node != &reader && std::count(node.inputs.begin(), node.inputs.end(), value) > 0;
  };
  for (const Node& node : graph_.nodes) {
    if (reads(node) && !taken_.contains(&node)) return false;
  }
  return true;
}

void OneDnnModel::pool(const Node& node) {
  const memory& x = values_.at(node.inputs[0]);
  const memory::dims from = x.get_desc().dims();
  const bool whole = node.op_type == "GlobalAveragePool";
  const dnnl::pooling_forward::desc what(
      prop_kind::forward_inference,
      whole ? algorithm::pooling_avg_exclude_padding : algorithm::pooling_max, x.get_desc(),
      {dims_of(node.outputs[0]), type_, Tag::any},
      whole ? memory::dims{1, 1} : list(node, "strides"),
      whole ? memory::dims{from[2], from[3]} : list(node, "kernel_shape"),
      whole ? memory::dims{0, 0} : pads(node, 0), whole ? memory::dims{0, 0} : pads(node, 2));
  const dnnl::pooling_forward::primitive_desc chosen(what, engine_);
  memory result(chosen.dst_desc(), engine_);
  steps_.push_back({dnnl::pooling_forward(chosen), {{DNNL_ARG_SRC, x}, {DNNL_ARG_DST, result}}});
  values_.emplace(node.outputs[0], result);
}

// Adds a Gemm whose right side is stored by rows of results.
void OneDnnModel::linear(const Node& node) {
  if (std::get<int64_t>(node.attributes.at("transB")) != 1) throw std::invalid_argument("Gemm");
  const memory& x = values_.at(node.inputs[0]);
  memory::dims w = dims_of(node.inputs[1]);
  w.resize(x.get_desc().dims().size(), 1);
  const dnnl::inner_product_forward::desc what(
      prop_kind::forward_inference, {x.get_desc().dims(), type_, Tag::any}, {w, type_, Tag::any},
      {{w[0]}, memory::data_type::f32, Tag::x},
      {dims_of(node.outputs[0]), memory::data_type::f32, Tag::nc});
  const dnnl::inner_product_forward::primitive_desc chosen(what, engine_);
  memory result(chosen.dst_desc(), engine_);
  const memory from = in_layout(x, chosen.src_desc());
  steps_.push_back(
      {dnnl::inner_product_forward(chosen),
       {{DNNL_ARG_SRC, from},
        {DNNL_ARG_WEIGHTS, constant(node.inputs[1], w, w.size() == 4 ? Tag::oihw : Tag::oi,
                                    memory::data_type::f32, chosen.weights_desc())},
        {DNNL_ARG_BIAS,
         constant(node.inputs[2], {w[0]}, Tag::x, memory::data_type::f32, chosen.bias_desc())},
        {DNNL_ARG_DST, result}}});
  values_.emplace(node.outputs[0], result);
}

memory OneDnnModel::constant(const std::string& name, const memory::dims& dims, Tag tag,
                             memory::data_type type, const memory::desc& wanted) {
  const graph::RefTensor* tensor = graph_.constant(name);
  if (!tensor) throw std::invalid_argument("weights that are computed: " + name);
  memory given({dims, type, tag}, engine_);
  std::copy(tensor->values.begin(), tensor->values.end(),
            static_cast<float*>(given.get_data_handle()));
  if (given.get_desc() == wanted) return given;
  memory laid_out(wanted, engine_);
  dnnl::reorder(given, laid_out).execute(stream_, given, laid_out);
  stream_.wait();
  return laid_out;
}

// Turned in every run where the producer's layout is another one.
memory OneDnnModel::in_layout(const memory& from, const memory::desc& wanted) {
  if (from.get_desc() == wanted) return from;
  memory turned(wanted, engine_);
  steps_.push_back({dnnl::reorder(from, turned), {{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, turned}}});
  return turned;
}

memory::dims OneDnnModel::dims_of(const std::string& value) const {
  const graph::ValueInfo& known = graph_.values.at(value);
  const Shape& shape = known.constant ? known.constant->shape : known.shape.value();
  return {shape.dims().begin(), shape.dims().end()};
}

void OneDnnModel::finish(const std::string& output) {
  const memory& last = values_.at(output);
  const memory::dims dims = dims_of(output);
  output_ = in_layout(last, {dims, memory::data_type::f32, dense(dims.size())});
  values_.clear();
}

}  // namespace opkit::bench
