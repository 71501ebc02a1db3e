#include "opkit/acl/streams/capture.h"

#include <algorithm>

namespace opkit::acl {
namespace {

aclmdlRICaptureMode& mode_of_thread() {
  thread_local aclmdlRICaptureMode mode = ACL_MODEL_RI_CAPTURE_MODE_GLOBAL;
  return mode;
}

// The vendor's page of aclmdlRICaptureThreadExchangeMode.
bool forbids(const Capture& capture, aclmdlRICaptureMode thread) {
  if (capture.mode() == ACL_MODEL_RI_CAPTURE_MODE_RELAXED) return false;
  if (capture.of_this_thread()) return thread != ACL_MODEL_RI_CAPTURE_MODE_RELAXED;
  return capture.mode() == ACL_MODEL_RI_CAPTURE_MODE_GLOBAL &&
         thread == ACL_MODEL_RI_CAPTURE_MODE_GLOBAL;
}

}  // namespace

size_t Capture::number_of(const Stream& stream) const {
  return static_cast<size_t>(std::find(streams_.begin(), streams_.end(), &stream) -
                             streams_.begin());
}

void Capture::draw_in(Stream& stream) {
  stream.capture = shared_from_this();
  streams_.push_back(&stream);
  graph_.streams = streams_.size();
}

namespace {

CapturedStepKind step_kind_of(TaskKind kind) {
  switch (kind) {
    case TaskKind::kKernel: return CapturedStepKind::kKernel;
    case TaskKind::kOperator: return CapturedStepKind::kOperator;
    case TaskKind::kOther: break;
  }
  return CapturedStepKind::kOther;
}

}  // namespace

CapturedStep& Capture::push(const Stream& stream, CapturedStepKind kind) {
  CapturedStep& step = graph_.steps.emplace_back();
  step.kind = kind;
  step.stream = number_of(stream);
  return step;
}

aclError Capture::add(const Stream& stream, Task task) {
  if (task.calls_back)
    return fail(ACL_ERROR_RT_STREAM_CAPTURED,
                "callbacks cannot be captured; end the capture by aclmdlRICaptureEnd first");
  if (const aclError code = check_group(stream, task.kind)) return code;
  CapturedStep& step = push(stream, step_kind_of(task.kind));
  if (!task.work) return ACL_SUCCESS;
  step.work = std::make_shared<StepWork>(std::move(task.work));
  const auto group = groups_.find(&stream);
  if (group != groups_.end()) group->second->tasks.emplace_back(step.work, task.kind);
  return ACL_SUCCESS;
}

aclError Capture::add_record(const Stream& stream, Event& event) {
  if (const aclError code = check_group(stream, TaskKind::kOther)) return code;
  event.moment.reset();
  event.capture = shared_from_this();
  event.step = graph_.steps.size();
  push(stream, CapturedStepKind::kRecord);
  return ACL_SUCCESS;
}

aclError Capture::add_wait(const Stream& stream, const Event& event) {
  if (const aclError code = check_group(stream, TaskKind::kOther)) return code;
  graph_.steps[event.step].awaited = true;
  push(stream, CapturedStepKind::kWait).after = event.step;
  return ACL_SUCCESS;
}

void Capture::spoil(std::string why) {
  if (why_.empty()) why_ = std::move(why);
}

aclError Capture::tell_spoiled() const {
  return fail(ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED, "the capture failed: %s", why_.c_str());
}

aclError Capture::check_end() const {
  if (spoiled()) return tell_spoiled();
  if (!groups_.empty())
    return fail(ACL_ERROR_STREAM_TASK_GROUP_STATUS,
                "a group of tasks is still open; call aclmdlRICaptureTaskGrpEnd first");
  if (graph_.joined()) return ACL_SUCCESS;
  return fail(
      ACL_ERROR_RT_STREAM_UNJOINED,
      "the first stream does not wait for all work of a stream that was drawn in; record an "
      "event behind the last of it, and let the first stream wait for the event");
}

void Capture::let_go() {
  for (Stream* const stream : streams_) stream->capture.reset();
  streams_.clear();
}

aclError Capture::check_group(const Stream& stream, TaskKind kind) const {
  if (groups_.empty()) return ACL_SUCCESS;
  if (groups_.count(&stream) == 0)
    return fail(ACL_ERROR_STREAM_TASK_GROUP_INTR,
                "a group of tasks is open on another stream of the capture; end it by "
                "aclmdlRICaptureTaskGrpEnd first");
  if (kind != TaskKind::kOther) return ACL_SUCCESS;
  return fail(ACL_ERROR_RT_TASK_TYPE_NOT_SUPPORT,
              "a group of tasks holds kernels and single operators only; end it by "
              "aclmdlRICaptureTaskGrpEnd first");
}

aclError Capture::begin_group(const Stream& stream) {
  if (groups_.emplace(&stream, std::make_unique<TaskGroup>()).second) return ACL_SUCCESS;
  return fail(ACL_ERROR_STREAM_TASK_GROUP_STATUS,
              "a group of tasks is open on this stream already; end it first");
}

aclError Capture::end_group(const Stream& stream, aclrtTaskGrp* handle) {
  const auto group = groups_.find(&stream);
  if (group == groups_.end())
    return fail(ACL_ERROR_STREAM_TASK_GROUP_STATUS,
                "no group of tasks is open on this stream; call aclmdlRICaptureTaskGrpBegin");
  *handle = graph_.groups.add(std::move(group->second));
  groups_.erase(group);
  return ACL_SUCCESS;
}

void Captures::begin(Stream& stream, CapturedGraph& graph, aclmdlRICaptureMode mode) {
  const auto capture = std::make_shared<Capture>(graph, mode);
  capture->draw_in(stream);
  all_.push_back(capture);
  if (mode != ACL_MODEL_RI_CAPTURE_MODE_RELAXED) mode_of_thread() = mode;
}

void Captures::end(Capture& capture) {
  // Then it ends in the thread where it began.
  if (capture.mode() != ACL_MODEL_RI_CAPTURE_MODE_RELAXED)
    mode_of_thread() = ACL_MODEL_RI_CAPTURE_MODE_GLOBAL;
  capture.let_go();
  all_.erase(std::find_if(all_.begin(), all_.end(),
                          [&](const auto& one) { return one.get() == &capture; }));
}

aclmdlRICaptureMode Captures::exchange_mode(aclmdlRICaptureMode mode) {
  return std::exchange(mode_of_thread(), mode);
}

aclError Captures::check_memory_call(const char* call) const {
  bool forbidden = false;
  for (const auto& capture : all_) {
    if (!forbids(*capture, mode_of_thread())) continue;
    capture->spoil(std::string(call) + " was called, which its mode forbids");
    forbidden = true;
  }
  if (!forbidden) return ACL_SUCCESS;
  return fail(ACL_ERROR_RT_CAPTURE_MODE_NOT_SUPPORT,
              "%s while a stream is captured in a mode that forbids it, which ends in an error; "
              "make the call before, or call aclmdlRICaptureThreadExchangeMode with "
              "ACL_MODEL_RI_CAPTURE_MODE_RELAXED",
              call);
}

aclError Captures::check_none(const char* call) const {
  if (!any()) return ACL_SUCCESS;
  return fail(ACL_ERROR_RT_STREAM_CAPTURED,
              "%s while a stream is captured; call aclmdlRICaptureEnd first", call);
}

aclError check_not_captured(const Stream& stream, const char* call) {
  if (!stream.capture) return ACL_SUCCESS;
  return fail(ACL_ERROR_RT_STREAM_CAPTURED,
              "%s of a stream that is captured; call aclmdlRICaptureEnd first", call);
}

aclError check_captures(aclrtStream handle, const Stream& stream) {
  if (stream.capture && stream.capture->spoiled()) return stream.capture->tell_spoiled();
  if (handle || !captures().any()) return ACL_SUCCESS;
  return fail(ACL_ERROR_RT_STREAM_CAPTURE_IMPLICIT,
              "the default stream takes no work while a stream is captured; use another stream");
}

aclError check_not_captured(const Event& event, const char* call) {
  if (event.capture.expired()) return ACL_SUCCESS;
  return fail(ACL_ERROR_RT_EVENT_CAPTURED,
              "%s of an event that is captured; call aclmdlRICaptureEnd first", call);
}

Captures& captures() {
  static Captures& own = *new Captures;
  return own;
}

}  // namespace opkit::acl
