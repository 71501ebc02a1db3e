// The functions of opk_op_v1: they find the author's function by the call's op type, give it a
// context, and turn its answer, its words and its exceptions into the waist's terms.
#ifndef OPKIT_HOST_TRAMPOLINE_H_
#define OPKIT_HOST_TRAMPOLINE_H_

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "opkit_host/plain_tiling.h"
#include "opkit_host/soc_lookup.h"
#include "register/op_def_registry.h"

namespace opkit_host {

// The input whose `what` a port follows, also through other ports; -1 for none.
inline int32_t followed_input(const ops::OpDef& def, const ops::OpParamDef& port,
                              ops::FollowType what) {
  const ops::OpParamDef* at = &port;
  for (size_t steps = 0; steps <= def.inputs().all().size(); ++steps) {
    if (at->follow().empty()) break;
    if (at->follow_type() != ops::FollowType::ALL && at->follow_type() != what) break;
    int32_t index = 0;
    const ops::OpParamDef* next = nullptr;
    for (const ops::OpParamDef& input : def.inputs().all()) {
      if (input.name() == at->follow()) next = &input;
      if (next == nullptr) ++index;
    }
    if (next == nullptr) break;
    if (next->follow().empty()) return index;
    at = next;
  }
  return -1;
}

// Empty unless every output follows an input.
inline std::vector<int32_t> followed(const ops::OpDef& def, ops::FollowType what) {
  std::vector<int32_t> inputs;
  for (const ops::OpParamDef& output : def.outputs().all()) {
    inputs.push_back(followed_input(def, output, what));
    if (inputs.back() < 0) return {};
  }
  return inputs;
}

// Returns the registered functions of every op type; what an OpDef gives fills the gaps. An OpDef
// whose constructor throws gives nothing (its table says why).
inline std::map<std::string, OpFunctions> merge_functions() {
  std::map<std::string, OpFunctions> merged = registry().functions;
  for (const auto& definition : registry().definitions) {
    try {
      const std::unique_ptr<ops::OpDef> def = definition.second(definition.first.c_str());
      OpFunctions& functions = merged[definition.first];
      if (!functions.tiling) {
        functions.tiling = def->ai_core().tiling();
        functions.max_tiling_bytes = kUnlimitedTiling;
      }
      if (!functions.infer_shape) functions.infer_shape = def->infer_shape();
      if (!functions.infer_data_type && !functions.output_type_of_first_input)
        functions.infer_data_type = def->infer_data_type();
      functions.followed_shapes = followed(*def, ops::FollowType::SHAPE);
      functions.followed_types = followed(*def, ops::FollowType::DTYPE);
    } catch (...) {
    }
  }
  return merged;
}

// By op type, without any function for a type that registered none. Merged once: what registers
// itself does so while the library is loaded.
OPKIT_HOST_LOCAL inline const OpFunctions& functions_of(const std::string& type) {
  static const std::map<std::string, OpFunctions> all = merge_functions();
  static const OpFunctions none;
  const auto found = all.find(type);
  return found == all.end() ? none : found->second;
}

// The surroundings of one call: words go to its report, the process's chip is its chip.
class OPKIT_HOST_LOCAL CallScope {
 public:
  explicit CallScope(const opk_call_v1& call) : report_(call.report), previous_(current_soc()) {
    current_soc() = call.soc;
  }
  ~CallScope() { current_soc() = previous_; }
  CallScope(const CallScope&) = delete;
  CallScope& operator=(const CallScope&) = delete;

 private:
  ReportScope report_;
  const opk_soc_v1* previous_;
};

// The fields of a call that this header reads; a host may offer more.
constexpr size_t kCallBytes = offsetof(opk_call_v1, deterministic) + sizeof(int32_t);

// Runs `body`, which returns an OPK code; what it throws becomes a report.
template <typename Body>
int32_t guarded(const opk_call_v1* call, Body body) noexcept {
  if (call == nullptr || call->struct_size < kCallBytes) return OPK_E_UNSUPPORTED;
  try {
    CallScope scope(*call);
    try {
      return body();
    } catch (const std::exception& error) {
      report(kError, "OPK-HOST-005", format("an exception left the function: %s", error.what()));
    } catch (...) {
      report(kError, "OPK-HOST-005", "an exception of unknown type left the function");
    }
  } catch (...) {
  }
  return OPK_E_EXCEPTION;
}

inline int32_t answer_of(ge::graphStatus status, const char* function) {
  if (status == ge::GRAPH_SUCCESS) return OPK_OK;
  report(kError, "OPK-HOST-006",
         format("%s returned %s (%u)", function,
                status == ge::GRAPH_FAILED ? "GRAPH_FAILED" : "an error", status));
  return OPK_E_FAILED;
}

// TilingParse's compile info, made anew for every call: nothing survives a call.
inline int32_t parse_tiling(const OpFunctions& functions, const gert::ComputeNodeInfo& node,
                            fe::PlatFormInfos& platform, std::shared_ptr<void>& info) {
  if (!functions.make_compile_info) return OPK_OK;
  info = functions.make_compile_info();
  if (!functions.tiling_parse) return OPK_OK;
  gert::TilingParseContext context(node, &platform, info.get());
  return answer_of(functions.tiling_parse(&context), "the TilingParse function");
}

// Lets the function fill other bytes than zeros once more, without a word of it. A registered class
// says itself what was not set.
inline void probe_unset(const OpFunctions& functions, const opk_call_v1& call, size_t capacity,
                        const opk_tiling_v1& answer) {
  if (registry().tiling_classes.count(call.op_type) > 0 || answer.data_size == 0) return;
  std::vector<uint8_t> bytes(capacity, kUnsetByte);
  opk_tiling_v1 again{};
  again.struct_size = sizeof again;
  again.data = bytes.data();
  again.data_capacity = bytes.size();
  {
    const opk_report_v1 nobody{sizeof(opk_report_v1), nullptr,
                               [](void*, int32_t, const char*, const char*) {}};
    const ReportScope silent(&nobody);
    const gert::ComputeNodeInfo node(call);
    fe::PlatFormInfos platform(call.soc);
    std::shared_ptr<void> info;
    if (parse_tiling(functions, node, platform, info) != OPK_OK) return;
    gert::TilingContext context(node, &platform, info.get(), &again, capacity);
    if (functions.tiling(&context) != ge::GRAPH_SUCCESS) return;
  }
  if (again.data_size != answer.data_size || again.tiling_key != answer.tiling_key) return;
  const auto* data = static_cast<const uint8_t*>(answer.data);
  bytes.resize(static_cast<size_t>(again.data_size));
  const auto known = registry().plain_tilings.find(call.op_type);
  tell_unset(known == registry().plain_tilings.end() ? nullptr : known->second, answer.tiling_key,
             std::vector<uint8_t>(data, data + answer.data_size), bytes);
}

inline int32_t tile_guarded(const opk_call_v1& call, opk_tiling_v1& answer) {
  const OpFunctions& functions = functions_of(call.op_type);
  if (!functions.tiling) return OPK_E_UNSUPPORTED;
  if (call.soc == nullptr) {
    report(kError, "OPK-HOST-007", "tiling was asked for without a chip");
    return OPK_E_FAILED;
  }
  const gert::ComputeNodeInfo node(call);
  fe::PlatFormInfos platform(call.soc);
  std::shared_ptr<void> info;
  const int32_t parsed = parse_tiling(functions, node, platform, info);
  if (parsed != OPK_OK) return parsed;
  const size_t capacity =
      std::min<size_t>(functions.max_tiling_bytes, static_cast<size_t>(answer.data_capacity));
  gert::TilingContext context(node, &platform, info.get(), &answer, capacity);
  const int32_t status = answer_of(functions.tiling(&context), "the tiling function");
  if (status == OPK_OK && answer.data_size <= capacity) {
    if (std::getenv(kTellUnset) != nullptr) probe_unset(functions, call, capacity, answer);
    return OPK_OK;
  }
  if (status != OPK_OK) return status;
  report(kError, "OPK-HOST-002",
         format("the tiling function set a data size of %llu bytes, %zu bytes were declared; give "
                ".Tiling(f, max_bytes)",
                static_cast<unsigned long long>(answer.data_size), capacity));
  return OPK_E_CAPACITY;
}

OPKIT_HOST_LOCAL inline int32_t tile(const opk_call_v1* call, opk_tiling_v1* answer) {
  return guarded(call, [&] { return tile_guarded(*call, *answer); });
}

inline void store(const gert::Shape& shape, opk_inferred_v1& out) {
  out.rank = static_cast<uint32_t>(shape.GetDimNum());
  for (uint32_t i = 0; i < out.rank; ++i) out.dims[i] = shape.GetDim(i);
}

// Calls set(flat output, its followed input) for the outputs of an op whose outputs all follow one;
// false when an input is not there.
template <typename Set>
bool follow_inputs(const gert::ComputeNodeInfo& node, const std::vector<int32_t>& inputs, Set set) {
  for (size_t ir = 0; ir < node.GetIrOutputsNum() && ir < inputs.size(); ++ir) {
    const gert::AnchorInstanceInfo& out = *node.GetOutputInstanceInfo(ir);
    for (size_t i = 0; i < out.GetInstanceNum(); ++i) {
      const auto source = static_cast<size_t>(inputs[ir]);
      const gert::Tensor* tensor = node.inputs().tensor(node.inputs().flat(source, i));
      if (tensor == nullptr) tensor = node.inputs().tensor(node.inputs().flat(source, 0));
      if (tensor == nullptr) return false;
      set(out.GetInstanceStart() + i, *tensor);
    }
  }
  return true;
}

inline int32_t follow_shapes(const OpFunctions& functions, const gert::ComputeNodeInfo& node,
                             opk_inferred_v1* const* outputs) {
  const bool done = follow_inputs(node, functions.followed_shapes,
                                  [outputs](size_t i, const gert::Tensor& input) {
                                    store(input.GetOriginShape(), *outputs[i]);
                                  });
  return done ? OPK_OK : OPK_E_FAILED;
}

OPKIT_HOST_LOCAL inline int32_t infer_shape(const opk_call_v1* call,
                                            opk_inferred_v1* const* outputs) {
  return guarded(call, [&]() -> int32_t {
    const OpFunctions& functions = functions_of(call->op_type);
    if (!functions.infers_shape()) return OPK_E_UNSUPPORTED;
    const gert::ComputeNodeInfo node(*call);
    if (!functions.infer_shape) return follow_shapes(functions, node, outputs);
    std::vector<gert::Shape> shapes(node.GetOutputsNum());
    gert::InferShapeContext context(node, shapes);
    const int32_t status = answer_of(functions.infer_shape(&context), "the InferShape function");
    for (size_t i = 0; status == OPK_OK && i < shapes.size(); ++i) {
      store(shapes[i], *outputs[i]);
      if (!context.OpkitSays(i)) outputs[i]->rank = OPK_RANK_UNSAID;
    }
    return status;
  });
}

inline int32_t infer_data_types(const OpFunctions& functions, const gert::ComputeNodeInfo& node,
                                std::vector<ge::DataType>& types) {
  gert::InferDataTypeContext context(node, types);
  if (functions.infer_data_type) {
    return answer_of(functions.infer_data_type(&context), "the InferDataType function");
  }
  if (functions.output_type_of_first_input) {
    for (ge::DataType& type : types) type = context.GetInputDataType(0);
    return OPK_OK;
  }
  if (functions.followed_types.empty()) return OPK_E_UNSUPPORTED;
  const bool done = follow_inputs(
      node, functions.followed_types,
      [&types](size_t i, const gert::Tensor& input) { types[i] = input.GetDataType(); });
  return done ? OPK_OK : OPK_E_FAILED;
}

OPKIT_HOST_LOCAL inline int32_t infer_dtype(const opk_call_v1* call,
                                            opk_inferred_v1* const* outputs) {
  return guarded(call, [&] {
    const OpFunctions& functions = functions_of(call->op_type);
    const gert::ComputeNodeInfo node(*call);
    std::vector<ge::DataType> types(node.GetOutputsNum(), ge::DT_UNDEFINED);
    const int32_t status = infer_data_types(functions, node, types);
    for (size_t i = 0; status == OPK_OK && i < types.size(); ++i) {
      outputs[i]->dtype = from_ge_dtype(types[i]);
    }
    return status;
  });
}

}  // namespace opkit_host

#endif  // OPKIT_HOST_TRAMPOLINE_H_
