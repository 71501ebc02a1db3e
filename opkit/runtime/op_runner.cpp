#include "opkit/runtime/op_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "opkit/declared/declaration.h"
#include "opkit/runtime/stored_call.h"
#include "opkit/runtime/tensor_list.h"
#include "opkit/runtime/workspace.h"
#include "opkit/tiling/author_infer.h"

namespace opkit {
namespace {

constexpr unsigned char kPoison = 0xff;  // a NaN in every float type, -1 in every integer type

PortFacts facts_of(const Port& port, const PortTensors& tensors) {
  PortFacts facts;
  for (const Tensor& tensor : tensors) {
    TensorFacts known;
    known.desc = tensor.desc();
    known.desc.name = port.name;
    if (port.value_depend && !is_float(tensor.dtype())) {
      known.values.emplace();
      for (int64_t i = 0; i < tensor.elements(); ++i)
        known.values->push_back(static_cast<int64_t>(tensor.at(i)));
    }
    facts.push_back(std::move(known));
  }
  return facts;
}

bool is_known(const Shape& shape) { return shape.has_rank() && shape.is_static(); }

// What the contract leaves open comes from the author's InferShape; what both say must agree.
Status consult_author(const opk_op_v1& op, const OpCall& call, std::vector<PortFacts>& inferred) {
  if (!op.infer_shape && !op.infer_dtype) return {};
  OPKIT_TRY(const std::vector<AuthorOutput> author, call_infer(op, call));
  std::vector<TensorDesc> expected;
  size_t next = 0;
  for (PortFacts& port : inferred) {
    for (TensorFacts& tensor : port) {
      const AuthorOutput& said = author[next++];
      if (said.shape && !is_known(tensor.desc.shape)) tensor.desc.shape = *said.shape;
      expected.push_back(tensor.desc);
    }
  }
  return cross_check(op, author, expected);
}

void fill(Tensor& tensor, double value) {
  if (tensor.elements() == 0) return;
  if (value == 0) {
    std::memset(tensor.data(), 0, tensor.size_bytes());
  } else {
    for (int64_t i = 0; i < tensor.elements(); ++i) tensor.set(i, value);
  }
}

// The OpDef's row for an output on this chip: its own, else the common one.
const opk_declared_port_v1* declared_output(const opk_declared_v1& declared, const Port& port,
                                            const SocSpec& soc) {
  const opk_declared_port_v1* common = nullptr;
  for (uint32_t i = 0; i < declared.port_count; ++i) {
    const opk_declared_port_v1* row = declared.ports[i];
    if (!row->is_output || (port.name != row->name && port.inplace != row->name)) continue;
    if (row->soc == nullptr) {
      common = row;
    } else if (const auto match = find_soc(row->soc);
               match.ok() && match->spec->short_name == soc.short_name) {
      return row;
    }
  }
  return common;
}

// What an output starts with; nothing without an InitValue. The value must be one of its type.
Result<std::optional<double>> initial_value(const opk_op_v1& op, const OpContract& contract,
                                            size_t output, size_t column, const SocSpec& soc) {
  if (op.declared == nullptr) return std::optional<double>();
  const Port& port = contract.outputs[output];
  const opk_declared_port_v1* row = declared_output(*op.declared, port, soc);
  if (row == nullptr || !row->has_init_value) return std::optional<double>();
  if (!port.inplace.empty()) {
    return contract.error(
        "OPK-RUN-004",
        fmt::format("output '{}' has an InitValue, and the memory of input '{}', whose values it "
                    "would destroy",
                    port.name, port.inplace),
        "remove InitValue, or give the output a name of its own");
  }
  Tensor probe(port.dtypes[column], Shape{2}, port.name);
  probe.set(0, row->init_value);
  if (is_float(port.dtypes[column]) || probe.at(0) == row->init_value) {
    return std::optional<double>(row->init_value);
  }
  return contract.error("OPK-RUN-004",
                        fmt::format("InitValue {} of output '{}' is no {}", row->init_value,
                                    port.name, name_of(port.dtypes[column])),
                        "give InitValue a value of the output's type");
}

}  // namespace

struct PreparedRun::State {
  const OpContract* contract = nullptr;
  core::Machine* machine = nullptr;
  Binding binding;
  TilingPlan plan;
  std::vector<PortTensors> inputs, outputs;  // as the bytes lie
  std::vector<PortLayouts> input_layouts, output_layouts;
  bool dry = false;                            // the memory is address space only
  std::vector<std::optional<double>> initial;  // of outputs with an InitValue
  std::vector<std::vector<uint64_t>> lists;    // of dynamic ports
  Workspace workspace;
  std::vector<std::byte> tiling;
  std::vector<void*> args;
  std::vector<core::GmRange> gm;
  core::LaunchRequest request;

  Status allocate();
  void lay_out();
  void initialise();
  // defined: written by the kernel, but its bytes have values before.
  void add_port(const Port& port, PortTensors& tensors, bool writable, bool defined = false,
                bool output = false);
  void add_range(void* base, uint64_t bytes, const char* name, bool writable, bool defined = false,
                 bool output = false) {
    gm.push_back({static_cast<const uint8_t*>(base), bytes, name, writable, defined, output, true});
  }
  PortTensors* inplace_source(const Port& output);
};

// The input whose memory an output takes; nullptr when it has its own.
PortTensors* PreparedRun::State::inplace_source(const Port& output) {
  for (size_t i = 0; i < contract->inputs.size(); ++i) {
    if (!output.inplace.empty() && contract->inputs[i].name == output.inplace) return &inputs[i];
  }
  return nullptr;
}

Status PreparedRun::State::allocate() {
  const auto make = [this](DType dtype, const Shape& shape, const std::string& name) {
    return dry ? Tensor::reserved(dtype, shape, name) : Result<Tensor>(Tensor(dtype, shape, name));
  };
  for (size_t i = 0; i < output_layouts.size(); ++i) {
    PortTensors tensors;
    for (const StorageLayout& layout : output_layouts[i]) {
      OPKIT_TRY(Tensor tensor, make(layout.dtype(), layout.storage(), contract->outputs[i].name));
      tensor.desc().format = layout.format();
      tensors.push_back(std::move(tensor));
    }
    outputs.push_back(std::move(tensors));
  }
  OPKIT_TRY(workspace, Workspace::make(plan.workspace_bytes(), dry));
  tiling.assign(plan.data.begin(), plan.data.end());
  tiling.resize(std::max<size_t>(tiling.size(), 64));
  return {};
}

void PreparedRun::State::add_port(const Port& port, PortTensors& tensors, bool writable,
                                  bool defined, bool output) {
  for (Tensor& tensor : tensors)
    add_range(tensor.data(), tensor.size_bytes(), port.name.c_str(), writable, defined, output);
  if (port.presence == Presence::kDynamic) {
    lists.push_back(tensor_list(tensors));
    args.push_back(lists.back().data());
    add_range(lists.back().data(), lists.back().size() * sizeof(uint64_t), port.name.c_str(),
              false);
  } else {
    args.push_back(tensors.empty() ? nullptr : tensors.front().data());
  }
}

// Kernel arguments: inputs, outputs, workspace, tiling. An input that an output overwrites stands
// for both.
void PreparedRun::State::lay_out() {
  lists.reserve(contract->inputs.size() + contract->outputs.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    PortTensors* memory = &inputs[i];
    bool shared = false;
    for (size_t o = 0; o < outputs.size(); ++o) {
      if (inplace_source(contract->outputs[o]) != &inputs[i]) continue;
      memory = &outputs[o];
      shared = true;
    }
    add_port(contract->inputs[i], *memory, shared, shared);
  }
  for (size_t o = 0; o < outputs.size(); ++o) {
    add_port(contract->outputs[o], outputs[o], true,
             initial[o].has_value() || inplace_source(contract->outputs[o]) != nullptr, true);
  }
  args.push_back(workspace.data());
  args.push_back(tiling.data());
  add_range(workspace.data(), workspace.size_bytes(), "workspace", true);
  add_range(tiling.data(), tiling.size(), "tiling", false);

  request.kernel = plan.kernel;
  request.block_dim = plan.block_dim;
  request.tiling_key = plan.key;
  request.args = args.data();
  request.gm = gm.data();
  request.gm_count = static_cast<uint32_t>(gm.size());
  request.system_workspace = reinterpret_cast<uint8_t*>(workspace.data());
  request.keep_inf_nan = contract->numeric.overflow == NumericPolicy::Overflow::kInf;
}

PreparedRun::PreparedRun(std::unique_ptr<State> state) : state_(std::move(state)) {}
PreparedRun::PreparedRun(PreparedRun&&) noexcept = default;
PreparedRun& PreparedRun::operator=(PreparedRun&&) noexcept = default;
PreparedRun::~PreparedRun() = default;

const Binding& PreparedRun::binding() const { return state_->binding; }
const TilingPlan& PreparedRun::plan() const { return state_->plan; }
const std::vector<PortTensors>& PreparedRun::inputs() const { return state_->inputs; }
const std::vector<PortTensors>& PreparedRun::outputs() const { return state_->outputs; }
const std::vector<core::GmRange>& PreparedRun::gm() const { return state_->gm; }
const std::vector<PortLayouts>& PreparedRun::input_layouts() const { return state_->input_layouts; }
const std::vector<PortLayouts>& PreparedRun::output_layouts() const {
  return state_->output_layouts;
}
std::vector<PortTensors> PreparedRun::origin_inputs() const {
  return to_origin(state_->inputs, state_->input_layouts);
}
std::vector<PortTensors> PreparedRun::origin_outputs() const {
  return to_origin(state_->outputs, state_->output_layouts);
}

void PreparedRun::poison() {
  for (size_t o = 0; o < state_->outputs.size(); ++o) {
    const PortTensors* source = state_->inplace_source(state_->contract->outputs[o]);
    for (size_t t = 0; t < state_->outputs[o].size(); ++t) {
      Tensor& tensor = state_->outputs[o][t];
      if (source && t < source->size()) {
        std::memcpy(tensor.data(), (*source)[t].data(),
                    std::min(tensor.size_bytes(), (*source)[t].size_bytes()));
      } else {
        std::memset(tensor.data(), kPoison, tensor.size_bytes());
      }
    }
  }
  state_->workspace.poison();
}

// InitValue: the output has the value when the kernel starts, at every launch.
void PreparedRun::State::initialise() {
  for (size_t o = 0; o < outputs.size(); ++o) {
    for (size_t t = 0; initial[o] && t < outputs[o].size(); ++t) fill(outputs[o][t], *initial[o]);
  }
}

core::LaunchReport PreparedRun::launch(core::Observer* observer, uint64_t schedule_seed) {
  state_->request.observer = observer;
  if (!state_->dry) state_->initialise();
  state_->request.schedule_seed = schedule_seed;
  return state_->machine->launch(state_->request);
}

OpRunner::OpRunner(const SocSpec& soc, unsigned threads, uint32_t local_memory_factor)
    : soc_(soc), abi_(to_abi(soc)) {
  for (int memory = OPK_MEM_UB; memory < OPK_MEM_COUNT; ++memory)
    abi_.memory_size[memory] *= local_memory_factor;
  machine_ = std::make_unique<core::Machine>(abi_, threads);
}
OpRunner::~OpRunner() = default;

Result<PreparedRun> OpRunner::prepare(RunRequest request) {
  const OpContract& contract = *request.contract;
  if (request.op->declared) {
    const Errors differences = check_declaration(*request.op->declared, contract);
    if (!differences.empty()) return differences.front();
  }
  std::vector<PortFacts> facts;
  for (size_t i = 0; i < contract.inputs.size(); ++i) {
    facts.push_back(facts_of(contract.inputs[i],
                             i < request.inputs.size() ? request.inputs[i] : PortTensors{}));
  }
  request.inputs.resize(contract.inputs.size());

  auto state = std::make_unique<PreparedRun::State>();
  OPKIT_TRY(state->binding, bind(contract, facts, request.attrs));
  state->contract = request.contract;
  state->machine = machine_.get();
  state->dry = request.dry;
  OPKIT_TRY(std::vector<PortFacts> inferred, infer(contract, state->binding));
  OPKIT_TRY(const bool all_said, apply_said(contract, request.output_shapes, inferred));
  OPKIT_TRY(StoredPorts stored, store(contract, state->binding.column, std::move(request.inputs)));
  state->inputs = std::move(stored.tensors);
  state->input_layouts = std::move(stored.layouts);
  OpCall call = make_call(contract, state->binding, state->inputs, state->input_layouts, inferred);
  if (!all_said) OPKIT_CHECK(consult_author(*request.op, call, inferred));
  for (size_t o = 0; o < inferred.size(); ++o) {
    for (const TensorFacts& tensor : inferred[o]) {
      if (is_known(tensor.desc.shape)) continue;
      return contract.error(
          "OPK-RUN-003",
          fmt::format("the shape of output '{}' is not known before the kernel runs: {}",
                      contract.outputs[o].name, tensor.desc.to_string()),
          "give the output a shape expression, or an InferShape function that knows it");
    }
  }
  OPKIT_TRY(state->output_layouts, output_layouts(contract, inferred));
  tell_outputs(call, state->output_layouts);
  OPKIT_TRY(state->plan,
            tile(*request.op, call, soc_, static_cast<uint32_t>(state->binding.column)));
  if (!state->plan.kernel) {
    return contract.error("OPK-RUN-002",
                          fmt::format("the plugin holds no kernel for column {} and tiling key {}",
                                      contract.column_name(state->binding.column), state->plan.key),
                          "build the op again from its contract");
  }
  for (size_t o = 0; o < contract.outputs.size(); ++o) {
    OPKIT_TRY(const std::optional<double> value,
              initial_value(*request.op, contract, o, state->binding.column, soc_));
    state->initial.push_back(value);
  }
  OPKIT_CHECK(state->allocate());
  state->lay_out();
  return PreparedRun(std::move(state));
}

Error to_error(const core::Fault& fault, const std::string& op_type) {
  Error error(fault.code, fault.message, fault.action);
  std::string core = fmt::format("block {}", fault.block);
  if (fault.sub_block >= 0) core += fmt::format(", vector core {}", fault.sub_block);
  return std::move(error).of(op_type).with(std::move(core));
}

Result<RunResult> OpRunner::run(RunRequest request, core::Observer* observer) {
  const std::string op_type = request.contract->op;
  OPKIT_TRY(PreparedRun prepared, prepare(std::move(request)));
  prepared.poison();
  core::LaunchReport report = prepared.launch(observer);
  if (!report.ok()) return to_error(report.faults.front(), op_type);
  PreparedRun::State& state = *prepared.state_;
  return RunResult{to_origin(std::move(state.outputs), state.output_layouts), std::move(state.plan),
                   state.binding.column, std::move(report.printed)};
}

}  // namespace opkit
