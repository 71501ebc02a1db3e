#include "opkit/include/opkit_host/cpu_kernel.h"

#include <cstdio>
#include <cstring>
#include <exception>
#include <map>
#include <string>
#include <vector>

#include "opkit/include/aicpu/cpu_context.h"
#include "opkit/include/opkit_host/report.h"
#include "opkit/include/opkit_host/trampoline.h"

namespace opkit_host {
namespace {

struct Registered {
  CpuCompute compute = nullptr;
  int times = 0;
};

std::map<std::string, Registered>& cpu_kernels() {
  static std::map<std::string, Registered> all;
  return all;
}

// A call as words of 8 bytes; texts are padded to whole words.
class CallWriter {
 public:
  void put(int64_t word) { words_.push_back(word); }
  void put(const char* text) {
    const size_t length = std::strlen(text);
    put(static_cast<int64_t>(length));
    const size_t begin = words_.size();
    words_.resize(begin + (length + 7) / 8);
    if (length > 0) std::memcpy(&words_[begin], text, length);
  }
  void put(float value) {
    uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    put(static_cast<int64_t>(bits));
  }

  const int64_t* data() const { return words_.data(); }
  size_t bytes() const { return words_.size() * sizeof(int64_t); }

 private:
  std::vector<int64_t> words_;
};

class CallReader {
 public:
  explicit CallReader(const void* data) : at_(static_cast<const int64_t*>(data)) {}
  int64_t word() { return *at_++; }
  std::string text() {
    const auto length = static_cast<size_t>(word());
    const std::string text(reinterpret_cast<const char*>(at_), length);
    at_ += (length + 7) / 8;
    return text;
  }
  float number() {
    const auto bits = static_cast<uint32_t>(word());
    float value = 0;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }

 private:
  const int64_t* at_;
};

void write_port(const opk_port_v1& port, CallWriter& out) {
  std::vector<const opk_tensor_v1*> present;
  for (uint32_t t = 0; t < port.count; ++t) {
    if (port.tensors[t]->present) present.push_back(port.tensors[t]);
  }
  out.put(static_cast<int64_t>(present.size()));
  for (const opk_tensor_v1* tensor : present) {
    out.put(int64_t{tensor->dtype});
    out.put(int64_t{tensor->format});
    out.put(int64_t{tensor->rank});
    for (uint32_t d = 0; d < tensor->rank; ++d) out.put(tensor->dims[d]);
  }
}

bool is_text(uint32_t kind) { return kind == OPK_ATTR_STRING || kind == OPK_ATTR_LIST_STRING; }
bool is_real(uint32_t kind) { return kind == OPK_ATTR_FLOAT || kind == OPK_ATTR_LIST_FLOAT; }

void write_attr(const opk_attr_v1& attr, CallWriter& out) {
  out.put(attr.name);
  out.put(int64_t{attr.kind});
  out.put(static_cast<int64_t>(attr.count));
  for (uint64_t i = 0; i < attr.count; ++i) {
    if (is_text(attr.kind)) {
      out.put(attr.strings[i]);
    } else if (is_real(attr.kind)) {
      out.put(attr.floats[i]);
    } else {
      out.put(attr.ints[i]);
    }
  }
}

CallWriter written(const opk_call_v1& call) {
  CallWriter out;
  out.put(call.op_type);
  for (uint32_t i = 0; i < call.input_count; ++i) write_port(*call.inputs[i], out);
  for (uint32_t i = 0; i < call.output_count; ++i) write_port(*call.outputs[i], out);
  out.put(int64_t{call.attr_count});
  for (uint32_t i = 0; i < call.attr_count; ++i) write_attr(*call.attrs[i], out);
  return out;
}

int32_t plan(const opk_call_v1& call, opk_tiling_v1& answer) {
  if (cpu_kernels()[call.op_type].times > 1) {
    report(kError, "OPK-HOST-011",
           format("REGISTER_CPU_KERNEL names %s more than once", call.op_type));
    return OPK_E_FAILED;
  }
  const CallWriter out = written(call);
  if (out.bytes() > answer.data_capacity) {
    report(kError, "OPK-HOST-012",
           format("the call's shapes and attributes take %zu bytes, %llu is the most", out.bytes(),
                  static_cast<unsigned long long>(answer.data_capacity)));
    return OPK_E_CAPACITY;
  }
  std::memcpy(answer.data, out.data(), out.bytes());
  answer.data_size = out.bytes();
  answer.block_dim = 1;
  return OPK_OK;
}

// ---- the kernel's side

std::unique_ptr<aicpu::Tensor> read_tensor(CallReader& in, void* at) {
  const ge::DataType type = to_ge_dtype(static_cast<int32_t>(in.word()));
  const auto format = static_cast<ge::Format>(in.word());
  std::vector<int64_t> dims(static_cast<size_t>(in.word()));
  for (int64_t& dim : dims) dim = in.word();
  return std::make_unique<aicpu::Tensor>(aicpu::TensorShape(std::move(dims), format), type, at);
}

// A list begins with the bytes in front of its addresses.
void* address_in_list(void* list, size_t tensor) {
  const auto* words = static_cast<const uint64_t*>(list);
  return reinterpret_cast<void*>(words[words[0] / sizeof(uint64_t) + tensor]);
}

aicpu::CpuKernelContext::Tensors read_ports(CallReader& in, void* const* args, const bool* dynamic,
                                            size_t ports) {
  aicpu::CpuKernelContext::Tensors tensors;
  for (size_t p = 0; p < ports; ++p) {
    const auto count = static_cast<size_t>(in.word());
    if (count == 0 && !dynamic[p]) tensors.emplace_back();
    for (size_t t = 0; t < count; ++t)
      tensors.push_back(read_tensor(in, dynamic[p] ? address_in_list(args[p], t) : args[p]));
  }
  return tensors;
}

std::map<std::string, aicpu::AttrValue> read_attrs(CallReader& in) {
  std::map<std::string, aicpu::AttrValue> attrs;
  for (int64_t left = in.word(); left > 0; --left) {
    std::string name = in.text();
    const auto kind = static_cast<uint32_t>(in.word());
    std::vector<int64_t> ints;
    std::vector<float> floats;
    std::vector<std::string> texts;
    for (int64_t count = in.word(); count > 0; --count) {
      if (is_text(kind)) {
        texts.push_back(in.text());
      } else if (is_real(kind)) {
        floats.push_back(in.number());
      } else {
        ints.push_back(in.word());
      }
    }
    attrs.emplace(std::move(name),
                  aicpu::AttrValue(std::move(ints), std::move(floats), std::move(texts)));
  }
  return attrs;
}

std::string dims_text(const std::vector<int64_t>& dims) {
  std::string text;
  for (const int64_t dim : dims) text += (text.empty() ? "" : ", ") + std::to_string(dim);
  return "[" + text + "]";
}

struct Failure {
  const char* code = nullptr;
  std::string text;
};

std::vector<std::vector<int64_t>> output_dims(const aicpu::CpuKernelContext& ctx) {
  std::vector<std::vector<int64_t>> all;
  for (uint32_t o = 0; o < ctx.GetOutputsSize(); ++o)
    all.push_back(ctx.Output(o) ? ctx.Output(o)->GetTensorShape()->GetDimSizes()
                                : std::vector<int64_t>());
  return all;
}

Failure changed_dims(const aicpu::CpuKernelContext& ctx,
                     const std::vector<std::vector<int64_t>>& planned) {
  const std::vector<std::vector<int64_t>> now = output_dims(ctx);
  for (size_t o = 0; o < now.size(); ++o) {
    if (now[o] == planned[o]) continue;
    return {"EK1608", format("Compute of %s gave output %zu the dims %s; %s were planned",
                             ctx.GetOpType().c_str(), o, dims_text(now[o]).c_str(),
                             dims_text(planned[o]).c_str())};
  }
  return {};
}

Failure compute(aicpu::CpuKernelContext& ctx) {
  const std::string op = ctx.GetOpType();
  const std::vector<std::vector<int64_t>> planned = output_dims(ctx);
  std::string what;
  try {
    const uint32_t status = cpu_kernels()[op].compute(ctx);
    if (status == 0) return changed_dims(ctx, planned);
    what = format("Compute of %s returned %u", op.c_str(), status);
  } catch (const std::exception& error) {
    what = format("an exception left Compute of %s: %s", op.c_str(), error.what());
  } catch (...) {
    what = format("an exception of unknown type left Compute of %s", op.c_str());
  }
  const std::string said = ctx.opkit_said();
  return {"EK1607", said.empty() ? what : what + ": " + said};
}

Failure run(void* const* args, const CpuPorts& ports) {
  const size_t tensors = ports.inputs + ports.outputs;
  CallReader in(args[tensors + 1]);  // behind the workspace
  std::string op = in.text();
  auto inputs = read_ports(in, args, ports.dynamic, ports.inputs);
  auto outputs = read_ports(in, args + ports.inputs, ports.dynamic + ports.inputs, ports.outputs);
  aicpu::CpuKernelContext ctx(std::move(op), std::move(inputs), std::move(outputs), read_attrs(in));
  return compute(ctx);
}

}  // namespace

CpuKernelRegistration::CpuKernelRegistration(const char* type, CpuCompute compute) {
  Registered& registered = cpu_kernels()[type];
  registered.compute = compute;
  ++registered.times;
}

bool has_cpu_kernel(const char* type) { return cpu_kernels().count(type) > 0; }

int32_t tile_cpu_kernel(const opk_call_v1* call, opk_tiling_v1* answer) {
  return guarded(call, [&] { return plan(*call, *answer); });
}

void run_cpu_kernel(opk_core* core, void* const* args, const CpuPorts& ports) {
  char code[8] = "", text[2048] = "";  // fault() does not return: nothing may be left to destroy
  {
    const Failure failure = run(args, ports);
    if (failure.code == nullptr) return;
    std::snprintf(code, sizeof code, "%s", failure.code);
    std::snprintf(text, sizeof text, "%s", failure.text.c_str());
  }
  core->isa->fault(core, code, text);
}

}  // namespace opkit_host
