#include "opkit/call/tiling/op_call.h"

#include <fmt/format.h>

#include <algorithm>

namespace opkit {
namespace {

opk_tensor_v1 row_of(const CallTensor& tensor) {
  const Shape& origin = tensor.origin_shape ? *tensor.origin_shape : tensor.desc.shape;
  opk_tensor_v1 row{};
  row.struct_size = sizeof row;
  row.present = 1;
  row.name = tensor.desc.name.c_str();
  row.dtype = static_cast<int32_t>(tensor.desc.dtype);
  row.format = static_cast<int32_t>(tensor.desc.format);
  row.origin_format = static_cast<int32_t>(tensor.origin_format.value_or(tensor.desc.format));
  row.rank = static_cast<uint32_t>(tensor.desc.shape.rank());
  row.dims = tensor.desc.shape.dims().data();
  row.origin_rank = static_cast<uint32_t>(origin.rank());
  row.origin_dims = origin.dims().data();
  row.data = tensor.value;
  return row;
}

Status check_shape(const Shape& shape, const std::string& name, bool all_known) {
  const auto refuse = [&](std::string_view why) {
    return Error("OPK-TILE-001",
                 fmt::format("'{}' has the shape {}: {}", name, shape.to_string(), why),
                 "give a legal shape");
  };
  if (shape.rank() > OPK_MAX_DIMS) return refuse("at most 25 dims can be passed");
  if (!shape.has_rank()) return all_known ? Status(refuse("its rank is unknown")) : Status();
  for (int64_t dim : shape.dims()) {
    if (dim < kUnknownDim) return refuse("a dim is negative");
    if (dim == kUnknownDim && all_known) return refuse("a dim is unknown");
  }
  if (all_known)
    OPKIT_CHECK(Status(shape.checked_elements().ok() ? Status() : refuse("too large")));
  return {};
}

// Value to the vectors of an attribute's row.
struct Flatten {
  std::vector<int64_t>& ints;
  std::vector<float>& floats;
  std::vector<const char*>& strings;

  void operator()(bool value) { ints = {value}; }
  void operator()(int64_t value) { ints = {value}; }
  void operator()(double value) { floats = {static_cast<float>(value)}; }
  void operator()(const std::string& value) { strings = {value.c_str()}; }
  void operator()(const std::vector<bool>& value) { ints.assign(value.begin(), value.end()); }
  void operator()(const std::vector<int64_t>& value) { ints = value; }
  void operator()(const std::vector<double>& value) { floats.assign(value.begin(), value.end()); }
  void operator()(const std::vector<std::string>& value) {
    for (const std::string& text : value) strings.push_back(text.c_str());
  }
};

}  // namespace

std::vector<CallPort> ports_of(const std::vector<TensorDesc>& descs) {
  std::vector<CallPort> ports;
  for (const TensorDesc& desc : descs) ports.push_back({desc.name, {CallTensor(desc)}});
  return ports;
}

void AbiCall::Side::add(const CallPort& port) {
  std::vector<const opk_tensor_v1*>& rows = tensor_rows.emplace_back();
  for (const CallTensor& tensor : port.tensors)
    rows.push_back(&tensors.emplace_back(row_of(tensor)));
  opk_port_v1& row = ports.emplace_back();
  row = {};
  row.struct_size = sizeof row;
  row.count = static_cast<uint32_t>(rows.size());
  row.name = port.name.c_str();
  row.tensors = rows.data();
  port_rows.push_back(&row);
}

void AbiCall::add(const CallAttr& attr) {
  AttrRows& rows = attrs_.emplace_back();
  std::visit(Flatten{rows.ints, rows.floats, rows.strings}, attr.value);
  rows.row.struct_size = sizeof rows.row;
  rows.row.kind = static_cast<uint32_t>(attr.value.index());
  rows.row.name = attr.name.c_str();
  rows.row.count = std::max({rows.ints.size(), rows.floats.size(), rows.strings.size()});
  rows.row.ints = rows.ints.data();
  rows.row.floats = rows.floats.data();
  rows.row.strings = rows.strings.data();
  attr_rows_.push_back(&rows.row);
}

AbiCall::AbiCall(const OpCall& call, const opk_soc_v1* soc, const opk_report_v1* report) {
  for (const CallPort& port : call.inputs) inputs_.add(port);
  for (const CallPort& port : call.outputs) outputs_.add(port);
  for (const CallAttr& attr : call.attrs) add(attr);
  call_.struct_size = sizeof call_;
  call_.op_type = call.op_type.c_str();
  call_.node_name = call.node_name.c_str();
  call_.input_count = static_cast<uint32_t>(call.inputs.size());
  call_.output_count = static_cast<uint32_t>(call.outputs.size());
  call_.attr_count = static_cast<uint32_t>(call.attrs.size());
  call_.inputs = inputs_.port_rows.data();
  call_.outputs = outputs_.port_rows.data();
  call_.attrs = attr_rows_.data();
  call_.soc = soc;
  call_.report = report;
  call_.deterministic = call.deterministic ? 1 : 0;
}

Status check_call(const OpCall& call, bool all_known) {
  for (const auto* side : {&call.inputs, &call.outputs}) {
    for (const CallPort& port : *side) {
      for (const CallTensor& tensor : port.tensors) {
        OPKIT_CHECK(check_shape(tensor.desc.shape, port.name, all_known));
        if (tensor.origin_shape)
          OPKIT_CHECK(check_shape(*tensor.origin_shape, port.name, all_known));
      }
    }
  }
  return {};
}

}  // namespace opkit
