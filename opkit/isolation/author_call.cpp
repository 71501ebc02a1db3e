#include "opkit/isolation/author_call.h"
#include "opkit/isolation/finish.h"

namespace opkit::wire {

template <typename A>
void fields(A& a, AuthorLog::Line& v) {
  a(v.severity, v.code, v.text);
}

template <typename A>
void fields(A& a, opk_inferred_v1& v) {
  a(v.dtype, v.rank);
  for (int64_t& dim : v.dims) a(dim);
}

template <typename A>
void fields(A& a, opk_tiling_v1& v) {
  a(v.block_dim, v.tiling_key, v.data_size, v.workspace_count, v.schedule_mode, v.local_memory_size,
    v.need_atomic);
  for (uint64_t& bytes : v.workspaces) a(bytes);
}

template <typename A>
void fields(A& a, isolation::AuthorAnswer& v) {
  a(v.code, v.log, v.inferred, v.tiling, v.tiling_data);
}

}  // namespace opkit::wire

namespace opkit::isolation {
namespace {

constexpr uint32_t kMostTensors = 1u << 16;

void put(wire::Writer& writer, const opk_tensor_v1& tensor) {
  const auto dims = [](const int64_t* at, uint32_t count) {
    return std::vector<int64_t>(at, at + count);
  };
  const Shape shape(dims(tensor.dims, tensor.rank));
  std::vector<std::byte> value;
  if (tensor.data) {
    const auto elements = static_cast<uint64_t>(shape.elements());
    const auto* bytes = static_cast<const std::byte*>(tensor.data);
    value.assign(bytes, bytes + bytes_of(static_cast<DType>(tensor.dtype), elements));
  }
  writer(std::string(tensor.name ? tensor.name : ""), tensor.dtype, tensor.format,
         tensor.origin_format, shape.dims(), dims(tensor.origin_dims, tensor.origin_rank),
         tensor.data != nullptr, value);
}

void put(wire::Writer& writer, const opk_port_v1* const* ports, uint32_t count) {
  writer(count);
  for (uint32_t p = 0; p < count; ++p) {
    const opk_port_v1& port = *ports[p];
    writer(std::string(port.name ? port.name : ""), port.count);
    for (uint32_t t = 0; t < port.count; ++t) put(writer, *port.tensors[t]);
  }
}

CallTensor get_tensor(wire::Reader& reader, AuthorCall& call) {
  CallTensor tensor;
  int32_t dtype = 0, format = 0, origin_format = 0;
  std::vector<int64_t> dims, origin;
  bool has_value = false;
  std::vector<std::byte> value;
  reader(tensor.desc.name, dtype, format, origin_format, dims, origin, has_value, value);
  tensor.desc.dtype = static_cast<DType>(dtype);
  tensor.desc.format = static_cast<Format>(format);
  tensor.desc.shape = Shape(std::move(dims));
  tensor.origin_shape = Shape(std::move(origin));
  tensor.origin_format = static_cast<Format>(origin_format);
  value.reserve(value.size() + 1);  // so that no bytes have an address, too
  if (has_value) tensor.value = call.values.emplace_back(std::move(value)).data();
  return tensor;
}

std::vector<CallPort> get_ports(wire::Reader& reader, AuthorCall& call) {
  uint32_t count = 0;
  reader(count);
  if (count > kMostTensors) reader.refuse("too many ports");
  std::vector<CallPort> ports;
  for (uint32_t p = 0; p < count && !reader.failed(); ++p) {
    CallPort& port = ports.emplace_back();
    uint32_t tensors = 0;
    reader(port.name, tensors);
    if (tensors > kMostTensors) reader.refuse("too many tensors");
    for (uint32_t t = 0; t < tensors && !reader.failed(); ++t)
      port.tensors.push_back(get_tensor(reader, call));
  }
  return ports;
}

void put(wire::Writer& writer, const opk_attr_v1& attr) {
  const uint64_t count = attr.count;
  writer(std::string(attr.name ? attr.name : ""), attr.kind);
  switch (attr.kind) {
    case OPK_ATTR_FLOAT:
    case OPK_ATTR_LIST_FLOAT: writer(std::vector<float>(attr.floats, attr.floats + count)); break;
    case OPK_ATTR_STRING:
    case OPK_ATTR_LIST_STRING:
      writer(std::vector<std::string>(attr.strings, attr.strings + count));
      break;
    default: writer(std::vector<int64_t>(attr.ints, attr.ints + count));
  }
}

template <typename T>
std::vector<T> get_list(wire::Reader& reader) {
  std::vector<T> all;
  reader(all);
  return all;
}

CallAttrValue get_value(wire::Reader& reader, uint32_t kind) {
  if (kind == OPK_ATTR_FLOAT || kind == OPK_ATTR_LIST_FLOAT) {
    const std::vector<float> all = get_list<float>(reader);
    if (kind == OPK_ATTR_LIST_FLOAT) return std::vector<double>(all.begin(), all.end());
    return all.empty() ? 0.0 : static_cast<double>(all[0]);
  }
  if (kind == OPK_ATTR_STRING || kind == OPK_ATTR_LIST_STRING) {
    std::vector<std::string> all = get_list<std::string>(reader);
    if (kind == OPK_ATTR_LIST_STRING) return all;
    return all.empty() ? std::string() : all[0];
  }
  const std::vector<int64_t> all = get_list<int64_t>(reader);
  if (kind == OPK_ATTR_LIST_INT) return all;
  if (kind == OPK_ATTR_LIST_BOOL) return std::vector<bool>(all.begin(), all.end());
  const int64_t first = all.empty() ? 0 : all[0];
  if (kind == OPK_ATTR_BOOL) return first != 0;
  if (kind != OPK_ATTR_INT) reader.refuse("an attribute of no kind");
  return first;
}

}  // namespace

std::string to_bytes(HostFunction function, std::string_view call) {
  wire::Writer writer;
  writer.choice(function, kHostFunctions);
  return writer.take().append(call);
}

std::string to_bytes(const opk_call_v1& call, uint32_t outputs, uint64_t capacity) {
  wire::Writer writer;
  writer(std::string(call.soc ? call.soc->name : ""), std::string(call.op_type),
         std::string(call.node_name ? call.node_name : ""), call.deterministic != 0, outputs,
         capacity);
  put(writer, call.inputs, call.input_count);
  put(writer, call.outputs, call.output_count);
  writer(call.attr_count);
  for (uint32_t i = 0; i < call.attr_count; ++i) put(writer, *call.attrs[i]);
  return writer.take();
}

Result<AuthorCall> read_author_call(std::string_view bytes) {
  wire::Reader reader(bytes);
  AuthorCall asked;
  reader.choice(asked.function, kHostFunctions);
  reader(asked.soc, asked.call.op_type, asked.call.node_name, asked.call.deterministic,
         asked.outputs, asked.capacity);
  if (asked.outputs > kMostTensors) reader.refuse("too many outputs");
  asked.call.inputs = get_ports(reader, asked);
  asked.call.outputs = get_ports(reader, asked);
  uint32_t attrs = 0;
  reader(attrs);
  for (uint32_t i = 0; i < attrs && !reader.failed(); ++i) {
    CallAttr attr;
    uint32_t kind = 0;
    reader(attr.name, kind);
    attr.value = get_value(reader, kind);
    asked.call.attrs.push_back(std::move(attr));
  }
  OPKIT_CHECK(finish(reader, "a call of a host function"));
  return asked;
}

std::string to_bytes(const std::vector<AuthorAnswer>& answers) { return wire::written(answers); }

Result<std::vector<AuthorAnswer>> read_author_answers(std::string_view bytes, uint32_t outputs,
                                                      uint64_t capacity) {
  wire::Reader reader(bytes);
  std::vector<AuthorAnswer> answers;
  reader(answers);
  if (answers.empty() || answers.size() > 2) reader.refuse("another number of answers");
  for (const AuthorAnswer& answer : answers) {
    if (answer.inferred.size() != outputs) reader.refuse("another number of outputs");
    if (answer.tiling_data.size() > capacity) reader.refuse("more tiling data than there is room");
  }
  OPKIT_CHECK(finish(reader, "the answer of a host function"));
  return answers;
}

}  // namespace opkit::isolation
