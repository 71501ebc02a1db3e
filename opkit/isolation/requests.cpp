#include "opkit/isolation/requests.h"

#include <cstring>

#include "opkit/isolation/engine_fields.h"
#include "opkit/isolation/finish.h"

namespace opkit::wire {

template <typename A>
void fields(A& a, isolation::Limits& v) {
  int64_t time = v.time.count();
  a(time, v.memory, v.output, v.answer);
  v.time = std::chrono::milliseconds(time);
}

template <typename A>
void fields(A& a, isolation::OpenRequest& v) {
  a(v.library, v.contract, v.folder, v.limits, v.watches_unset);
}

template <typename A>
void fields(A& a, isolation::OpenAnswer& v) {
  a(v.rows, v.inputs_at, v.outputs_at, v.confinement);
}

}  // namespace opkit::wire

namespace opkit::isolation {
namespace {

// A tensor or a layout: what it is made from again.
struct Stored {
  int32_t dtype = 0, format = 0;
  std::vector<int64_t> dims;
};

void put(wire::Writer& writer, const std::vector<PortLayouts>& ports) {
  writer(uint64_t{ports.size()});
  for (const PortLayouts& port : ports) {
    writer(uint64_t{port.size()});
    for (const StorageLayout& layout : port)
      writer(static_cast<int32_t>(layout.dtype()), static_cast<int32_t>(layout.format()),
             layout.origin().dims());
  }
}

// Calls take(port, stored) for each.
template <typename Take>
void each_stored(wire::Reader& reader, Take take) {
  uint64_t ports = 0;
  reader(ports);
  for (uint64_t p = 0; p < ports && !reader.failed(); ++p) {
    uint64_t tensors = 0;
    reader(tensors);
    take(p, nullptr);
    for (uint64_t t = 0; t < tensors && !reader.failed(); ++t) {
      Stored stored;
      reader(stored.dtype, stored.format, stored.dims);
      take(p, &stored);
    }
  }
}

void get(wire::Reader& reader, std::vector<PortLayouts>& ports) {
  each_stored(reader, [&](uint64_t, const Stored* stored) {
    if (!stored) return void(ports.emplace_back());
    auto layout = StorageLayout::of(static_cast<Format>(stored->format),
                                    static_cast<DType>(stored->dtype), Shape(stored->dims));
    if (!layout.ok()) return reader.refuse("a layout that does not exist");
    ports.back().push_back(std::move(layout).value());
  });
}

void put_values(wire::Writer& writer, const std::vector<PortTensors>& ports) {
  writer(uint64_t{ports.size()});
  for (const PortTensors& port : ports) {
    writer(uint64_t{port.size()});
    for (const Tensor& tensor : port) {
      writer(static_cast<int32_t>(tensor.dtype()), static_cast<int32_t>(tensor.desc().format),
             tensor.shape().dims());
      writer.raw(tensor.data(), tensor.size_bytes());
    }
  }
}

void get_values(wire::Reader& reader, std::vector<PortTensors>& ports) {
  each_stored(reader, [&](uint64_t, const Stored* stored) {
    if (!stored) return void(ports.emplace_back());
    std::vector<std::byte> bytes;
    reader(bytes);
    Tensor tensor(static_cast<DType>(stored->dtype), Shape(stored->dims));
    tensor.desc().format = static_cast<Format>(stored->format);
    if (tensor.size_bytes() != bytes.size()) return reader.refuse("a value of another size");
    if (!bytes.empty()) std::memcpy(tensor.data(), bytes.data(), bytes.size());
    ports.back().push_back(std::move(tensor));
  });
}

uint32_t index_of(const opk_kernel_v1* kernel, const opk_op_v1& op) {
  for (uint32_t i = 0; i < op.kernel_count; ++i) {
    if (op.kernels[i] == kernel) return i;
  }
  return op.kernel_count;
}

template <typename A>
void tiling_fields(A& a, TilingPlan& tiling, uint32_t& kernel) {
  a(tiling.block_dim, tiling.key, tiling.data, tiling.workspaces, tiling.schedule_mode,
    tiling.local_memory_size, tiling.need_atomic, kernel);
}

}  // namespace

std::string to_bytes(const OpenRequest& request) { return wire::written(request); }

Result<OpenRequest> read_open_request(std::string_view bytes) {
  wire::Reader reader(bytes);
  OpenRequest request;
  reader(request);
  OPKIT_CHECK(finish(reader, "the first message to a worker"));
  return request;
}

std::string to_bytes(const OpenAnswer& answer) { return wire::written(answer); }

Result<OpenAnswer> read_open_answer(std::string_view bytes) {
  wire::Reader reader(bytes);
  OpenAnswer answer;
  reader(answer);
  OPKIT_CHECK(finish(reader, "a worker's first answer"));
  return answer;
}

std::string plan_to_bytes(uint64_t number, const CallPlan& plan, const opk_op_v1& op) {
  wire::Writer writer;
  uint32_t kernel = index_of(plan.tiling.kernel, op);
  writer(number, plan.soc->name, uint64_t{plan.binding.column});
  tiling_fields(writer, const_cast<TilingPlan&>(plan.tiling), kernel);
  put(writer, plan.input_layouts);
  put(writer, plan.output_layouts);
  writer(plan.initial);
  put_values(writer, plan.values);
  return writer.take();
}

Result<NumberedPlan> read_plan(std::string_view bytes, const OpContract& contract,
                               const opk_op_v1& op) {
  wire::Reader reader(bytes);
  NumberedPlan made;
  auto plan = std::make_shared<CallPlan>();
  plan->contract = &contract;
  plan->op = &op;
  std::string soc;
  uint64_t column = 0;
  uint32_t kernel = 0;
  reader(made.number, soc, column);
  tiling_fields(reader, plan->tiling, kernel);
  get(reader, plan->input_layouts);
  get(reader, plan->output_layouts);
  reader(plan->initial);
  get_values(reader, plan->values);
  plan->binding.column = column;
  if (kernel >= op.kernel_count) reader.refuse("a kernel that does not exist");
  if (plan->input_layouts.size() != contract.inputs.size() ||
      plan->output_layouts.size() != contract.outputs.size() ||
      plan->initial.size() != contract.outputs.size())
    reader.refuse("a plan of another contract");
  OPKIT_CHECK(finish(reader, "a plan"));
  OPKIT_TRY(const SocMatch match, find_soc(soc));
  plan->soc = match.spec;
  plan->replay = make_replay();
  plan->tiling.kernel = op.kernels[kernel];
  made.plan = std::move(plan);
  return made;
}

}  // namespace opkit::isolation
