// Execution of models.
#include <algorithm>
#include <utility>

#include "opkit/acl/base/faults.h"
#include "opkit/acl/base/lock.h"
#include "opkit/acl/device/context.h"
#include "opkit/acl/device/device.h"
#include "opkit/acl/models/model.h"
#include "opkit/acl/models/model_dataset.h"
#include "opkit/acl/program/execute.h"
#include "opkit/acl/runtime/submit.h"
#include "opkit/acl/streams/exception.h"
#include "opkit/acl/streams/program_scheduler.h"
#include "opkit/acl/tensors/data_buffer.h"

namespace opkit::acl {
namespace {

// Holds what a run needs, but not the model, which may be unloaded before its task runs.
struct Run {
  uint32_t id = 0;
  std::string name;  // names the model
  std::shared_ptr<const ModelEnds> ends;
  size_t gear = 0;
  std::vector<const std::byte*> inputs;
  std::vector<std::byte*> outputs;  // nullptr: to be allocated, or there are no bytes
};

struct Call {
  uint32_t id;
  const aclmdlDataset *input, *output;
  bool allocates;  // memory for outputs whose buffers have none
};

// A side of a model as a call is given it.
struct Given {
  const char* word;  // "input"
  aclError mismatch;
  const std::vector<ModelEnd>& ends;
  const aclmdlDataset& dataset;
  size_t gear;
  bool allocates = false;
};

// Tells whether the buffer is as aclCreateDataBuffer(nullptr, 0) makes it.
bool has_no_memory(const aclDataBuffer& buffer) { return !buffer.data && buffer.size == 0; }

aclError check_shape(const Given& given, size_t i) {
  const auto described = given.dataset.described.find(i);
  const ModelEnd& end = given.ends[i];
  const Shape& shape = end.shapes[given.gear];
  if (described == given.dataset.described.end() || described->second->dims == shape.dims())
    return ACL_SUCCESS;
  return fail(given.mismatch, "%s '%s': the model takes %s only; it was compiled for %s",
              given.word, end.name.c_str(), shape.to_string().c_str(),
              end.shapes.size() == 1 ? "one shape" : "it as this gear");
}

aclError too_small(const Given& given, const ModelEnd& end, const aclDataBuffer& buffer,
                   uint64_t bytes) {
  const bool left_to_us =
      has_no_memory(buffer) && given.mismatch == ACL_ERROR_MODEL_OUTPUT_NOT_MATCH;
  return fail(given.mismatch, "%s '%s' has %zu bytes, the model wants %llu%s", given.word,
              end.name.c_str(), buffer.size, static_cast<unsigned long long>(bytes),
              left_to_us ? "; aclmdlExecuteAsync allocates none, as aclmdlExecute does: hand in "
                           "memory of aclrtMalloc"
                         : "");
}

// The memory of one buffer, judged; nullptr where the call allocates it.
aclError take(const Given& given, size_t i, std::byte*& at) {
  const aclDataBuffer* const buffer = data_buffers().find(given.dataset.buffers[i]);
  const ModelEnd& end = given.ends[i];
  const uint64_t bytes = end.needed[given.gear];
  if (!buffer)
    return fail(ACL_ERROR_INVALID_PARAM, "%s '%s': its aclDataBuffer was destroyed", given.word,
                end.name.c_str());
  if (given.allocates && has_no_memory(*buffer)) {
    at = nullptr;
    return check_shape(given, i);
  }
  if (buffer->size < bytes) return too_small(given, end, *buffer, bytes);
  const DeviceMemory& memory = the_device().memory();
  if (bytes != 0 && !memory.holds(buffer->data, bytes))
    return fail(ACL_ERROR_RT_PARAM_INVALID, "%s '%s' at %p with %llu bytes is no device memory: %s",
                given.word, end.name.c_str(), buffer->data, static_cast<unsigned long long>(bytes),
                memory.about(buffer->data).c_str());
  at = static_cast<std::byte*>(buffer->data);
  return check_shape(given, i);
}

aclError check_count(const Given& given) {
  if (given.dataset.buffers.size() == given.ends.size()) return ACL_SUCCESS;
  return fail(given.mismatch, "the dataset has %zu buffers, the model has %zu %ss",
              given.dataset.buffers.size(), given.ends.size(), given.word);
}

aclError take(const Given& given, std::vector<std::byte*>& all) {
  if (const aclError code = check_count(given)) return code;
  all.resize(given.ends.size());
  for (size_t i = 0; i < all.size(); ++i) {
    if (const aclError code = take(given, i, all[i])) return code;
  }
  return ACL_SUCCESS;
}

bool fits_gear(const ModelEnds& ends, const aclmdlDataset& in, size_t gear) {
  for (size_t i = 0; i < ends.inputs.size(); ++i) {
    const auto described = in.described.find(i);
    if (described == in.described.end()
            ? ends.inputs[i].tensor.shape.is_static()
            : described->second->dims == ends.inputs[i].shapes[gear].dims())
      continue;
    return false;
  }
  return true;
}

// "x[1, 2]; x[2, 2]": what inputs with open dims have in each gear.
std::string shapes_text(const ModelEnds& ends) {
  std::string text;
  for (size_t gear = 0; gear < ends.gears.size(); ++gear) {
    const char* separator = gear == 0 ? "" : "; ";
    for (const ModelEnd& end : ends.inputs) {
      if (end.tensor.shape.is_static()) continue;
      text += std::exchange(separator, ", ") + end.name + end.shapes[gear].to_string();
    }
  }
  return text;
}

// Finds the call of a model with ranges by the shapes of aclmdlSetDatasetTensorDesc.
aclError find_by_shapes(const ModelEnds& ends, const aclmdlDataset& in, size_t& gear) {
  for (gear = 0; gear < ends.gears.size(); ++gear) {
    if (fits_gear(ends, in, gear)) return ACL_SUCCESS;
  }
  return fail(
      ACL_ERROR_MODEL_INPUT_NOT_MATCH,
      "the model takes several shapes, and the dataset's descriptions are none of them (%s); "
      "call aclmdlSetDatasetTensorDesc for every input whose dims are open",
      shapes_text(ends).c_str());
}

// The gear that a call is for.
aclError find_gear(const ModelEnds& ends, const aclmdlDataset& in, size_t& gear) {
  gear = 0;
  if (ends.gear_kind == model::GearKind::kNone) return ACL_SUCCESS;
  if (ends.gear_kind == model::GearKind::kShapes) return find_by_shapes(ends, in, gear);
  const auto known = std::find(ends.gears.begin(), ends.gears.end(), in.gear);
  gear = static_cast<size_t>(known - ends.gears.begin());
  if (known != ends.gears.end()) return ACL_SUCCESS;
  return fail(ACL_ERROR_MODEL_INPUT_NOT_MATCH,
              "the model has %zu gears, and none was chosen for this dataset; call "
              "aclmdlSetDynamicBatchSize, aclmdlSetDynamicHWSize or aclmdlSetInputDynamicDims",
              ends.gears.size());
}

aclError check_aipp(const ModelEnds& ends, const aclmdlDataset& in) {
  for (const model::AippInput& aipp : ends.aipp) {
    if (aipp.dynamic && in.with_aipp.count(aipp.settings) == 0)
      return fail(ACL_ERROR_MODEL_INPUT_NOT_MATCH,
                  "the dataset has no settings for the AIPP of input %u (%s); call "
                  "aclmdlSetInputAIPP",
                  aipp.input, ends.inputs[aipp.input].shown.c_str());
  }
  return ACL_SUCCESS;
}

aclError take_inputs(const aclmdlDataset& in, Run& run) {
  const ModelEnds& ends = *run.ends;
  const aclError mismatch = ACL_ERROR_MODEL_INPUT_NOT_MATCH;
  if (const aclError code = check_count({"input", mismatch, ends.inputs, in, 0})) return code;
  if (const aclError code = check_aipp(ends, in)) return code;
  if (const aclError code = find_gear(ends, in, run.gear)) return code;
  std::vector<std::byte*> inputs;
  if (const aclError code = take({"input", mismatch, ends.inputs, in, run.gear}, inputs))
    return code;
  run.inputs.assign(inputs.begin(), inputs.begin() + static_cast<ptrdiff_t>(ends.data_inputs()));
  return ACL_SUCCESS;
}

// REQUIRES: the lock is held.
aclError prepare(const Call& call, Run& run) {
  if (!has_context())
    return fail(ACL_ERROR_RT_CONTEXT_NULL, "no device is set; call aclrtSetDevice first");
  const std::shared_ptr<Model> model = models().find(call.id);
  if (!model) return no_model(call.id);
  if (const aclError code = contexts().check_model(call.id, model->context)) return code;
  if (const aclError code = model->check_memory()) return code;
  const aclmdlDataset* const in = datasets().find(call.input);
  const aclmdlDataset* const out = datasets().find(call.output);
  if (!in || !out) return datasets().unknown(in ? call.output : call.input);
  run = {call.id, model->name(), model->ends, 0, {}, {}};
  if (const aclError code = take_inputs(*in, run)) return code;
  const ModelEnds& ends = *run.ends;
  if (const aclError code = take({"output", ACL_ERROR_MODEL_OUTPUT_NOT_MATCH, ends.outputs, *out,
                                  run.gear, call.allocates},
                                 run.outputs))
    return code;
  // Nobody chose a shape of a range but this call.
  if (ends.gear_kind == model::GearKind::kShapes) ends.current = run.gear;
  return ACL_SUCCESS;
}

// Memory of outputs whose buffers have none. It is the program's once a run has succeeded.
class NewOutputs {
 public:
  NewOutputs() = default;
  ~NewOutputs() {
    for (const One& one : all_) aclrtFree(one.memory);
  }
  NewOutputs(const NewOutputs&) = delete;
  NewOutputs& operator=(const NewOutputs&) = delete;

  // REQUIRES: the lock is held since the run was prepared.
  aclError allocate(const aclmdlDataset& out, Run& run) {
    for (size_t i = 0; i < run.outputs.size(); ++i) {
      const uint64_t bytes = run.ends->outputs[i].needed[run.gear];
      if (run.outputs[i] || bytes == 0) continue;
      void* memory = nullptr;
      if (const aclError code = aclrtMalloc(&memory, bytes, ACL_MEM_MALLOC_HUGE_FIRST)) return code;
      all_.push_back({out.buffers[i], memory, bytes});
      run.outputs[i] = static_cast<std::byte*>(memory);
    }
    return ACL_SUCCESS;
  }
  // Hands memory over to output buffers that came without; one that is gone, or has got memory
  // since, takes none.
  void hand_over() {
    const Lock lock;
    std::erase_if(all_, [&](const One& one) {
      aclDataBuffer* const buffer = data_buffers().find(one.buffer);
      if (!buffer || !has_no_memory(*buffer)) return false;
      *buffer = {one.memory, one.bytes};
      return true;
    });
  }

 private:
  struct One {
    const aclDataBuffer* buffer;
    void* memory;
    size_t bytes;
  };
  std::vector<One> all_;
};

// Errors of steps are told with "step <name>".
void name_operator(const Error& error) {
  constexpr std::string_view kStep = "step ";
  for (const std::string& context : error.trail) {
    if (context.starts_with(kStep)) Exceptions::named(context.substr(kStep.size()));
  }
}

// Unloaded or freed since the run was submitted.
aclError find_model(const Run& run, std::shared_ptr<Model>& model) {
  const Lock lock;
  model = models().find(run.id);
  if (model) return model->check_memory();
  return fail(ACL_ERROR_GE_EXEC_MODEL_ID_INVALID,
              "model %u ('%s') was unloaded before its stream came to it; call aclmdlUnload behind "
              "the model's last run",
              run.id, run.name.c_str());
}

aclError start(const Run& run) {
  std::shared_ptr<Model> model;
  if (const aclError code = find_model(run, model)) return faults().keep_task(code);
  const Status done = model->run(run.inputs, run.outputs, run.gear);
  if (done.ok()) return ACL_SUCCESS;
  if (done.error().is(Cause::kFile)) return fail(ACL_ERROR_WRITE_FILE, done.error());
  name_operator(done.error());
  const aclError code = fail(
      EmulatedDevice::take_lateness() ? ACL_ERROR_RT_AICORE_TIMEOUT : ACL_ERROR_RT_AICORE_EXCEPTION,
      done.error());
  return done.error().code == kWrongKernel ? faults().keep_kernel(code) : faults().keep_task(code);
}

// Starts a run in the calling thread: it is no task of a stream, and fails like one.
aclError start_here(const Run& run) {
  Exceptions::begin();
  const aclError code = start(run);
  if (code == ACL_SUCCESS) return code;
  const std::string text = take_text();
  aclrtExceptionInfo info;
  info.task = task_id(the_scheduler().take_number());
  info.thread = system_thread_id();
  info.code = static_cast<uint32_t>(code);
  exceptions().tell(info);
  return faults().tell(fail(code, "%s", text.c_str()));
}

}  // namespace
}  // namespace opkit::acl

using namespace opkit::acl;

OPKIT_ACL_EXPORT aclError aclmdlExecute(uint32_t id, const aclmdlDataset* input,
                                        aclmdlDataset* output) {
  Run run;
  NewOutputs made;
  {
    const Lock lock;
    if (const aclError code = prepare({id, input, output, true}, run)) return code;
    if (const aclError code = made.allocate(*output, run)) return code;
  }
  const aclError code = start_here(run);
  if (code == ACL_SUCCESS) made.hand_over();
  return code;
}

OPKIT_ACL_EXPORT aclError aclmdlExecuteAsync(uint32_t id, const aclmdlDataset* input,
                                             aclmdlDataset* output, aclrtStream stream) {
  return submit(stream, [&](Task& task) -> aclError {
    Run run;
    if (const aclError code = prepare({id, input, output, false}, run)) return code;
    task.work = [run = std::move(run)] { return start(run); };
    return ACL_SUCCESS;
  });
}
