// Device, contexts, streams and events of the runtime API.
#include <optional>
#include <vector>

#include "opkit/acl/submit.h"

namespace opkit::acl {
namespace {

aclError check_device(int32_t device) {
  if (device == 0) return ACL_SUCCESS;
  return fail(ACL_ERROR_RT_INVALID_DEVICEID, "device %d: there is one device, number 0", device);
}

// Whether the device can be reset, and at once.
aclError take_back(Runtime& runtime, bool force, bool& last) {
  const Lock lock(runtime.mutex);
  const uint64_t times = runtime.contexts.times_set();
  if (times == 0)
    return fail(ACL_ERROR_RT_CONTEXT_NULL,
                "the device is not set, or was reset as often; call aclrtSetDevice first");
  last = force || times == 1;
  if (!last) runtime.contexts.take_back_once();
  return ACL_SUCCESS;
}

aclError no_context(const char* call) {
  return fail(ACL_ERROR_RT_CONTEXT_NULL,
              "%s: this thread has no context; call aclrtSetDevice or aclrtSetCurrentContext first",
              call);
}

template <typename T>
aclError make(const Runtime& runtime, HandleTable<T>& all, int32_t number, void** result) {
  if (!result)
    return fail(ACL_ERROR_INVALID_PARAM, "no place for the new %s; hand in the address of a handle",
                all.what());
  if (!runtime.has_context()) {
    return fail(ACL_ERROR_RT_CONTEXT_NULL, "a %s without a device; call aclrtSetDevice first",
                all.what());
  }
  T* const made = all.add(std::make_unique<T>());
  made->id = number;
  *result = made;
  return ACL_SUCCESS;
}

// The default stream is named by null.
std::vector<const void*> stream_names(Runtime& runtime) {
  const Lock lock(runtime.mutex);
  std::vector<const void*> names = {nullptr};
  runtime.device().streams().each([&](const Stream& stream) { names.push_back(&stream); });
  return names;
}

// Whether this thread may wait for the device's work. A reset names the device and wants no
// context.
aclError check_thread(Runtime& runtime, const char* call) {
  const Lock lock(runtime.mutex);
  return runtime.contexts.check_thread(call);
}

// Whether this thread may wait for every stream.
aclError check_wait(Runtime& runtime, const char* call) {
  {
    const Lock lock(runtime.mutex);
    if (const aclError code = runtime.captures.check_none(call)) return code;
  }
  for (const void* const stream : stream_names(runtime)) {
    if (const aclError code = runtime.callbacks.check_wait(stream)) return code;
  }
  return ACL_SUCCESS;
}

std::vector<std::shared_ptr<TaskQueue>> queues_of(Runtime& runtime) {
  const Lock lock(runtime.mutex);
  std::vector<std::shared_ptr<TaskQueue>> queues = {runtime.device().find(nullptr)->queue};
  runtime.device().streams().each([&](const Stream& stream) { queues.push_back(stream.queue); });
  return queues;
}

// The last of them waits for all streams; what went wrong on the device is over then.
aclError reset_device(int32_t device, bool force, const char* call) {
  Runtime& runtime = Runtime::instance();
  if (const aclError code = check_device(device)) return code;
  if (const aclError code = check_wait(runtime, call)) return code;
  bool last = false;
  if (const aclError code = take_back(runtime, force, last)) return code;
  if (!last) return ACL_SUCCESS;
  runtime.scheduler().wait_for_all();
  runtime.scheduler().stop_on_failure(false);
  for (const auto& queue : queues_of(runtime)) runtime.scheduler().forget_failure(*queue);
  const Lock lock(runtime.mutex);
  runtime.retired.sweep(runtime.scheduler());
  runtime.contexts.reset_device();
  runtime.faults.accept();
  return ACL_SUCCESS;
}

aclError find_event(Runtime& runtime, aclrtEvent event, Event*& found) {
  found = runtime.events.find(event);
  return found ? aclError{ACL_SUCCESS} : runtime.events.unknown(event);
}

// What the event was recorded behind last counts, whatever becomes of the event. One that was never
// recorded holds nothing up. patience: nothing for that of aclrtSetOpWaitTimeout.
aclError wait_for_event(aclrtStream stream, aclrtEvent event,
                        std::optional<std::chrono::seconds> patience) {
  if (const auto code = capture_wait(stream, event)) return *code;
  return submit(stream, [&](Runtime& runtime, Task& task) -> aclError {
    Event* found = nullptr;
    if (const aclError code = find_event(runtime, event, found)) return code;
    if (!(found->flags & ACL_EVENT_SYNC)) return no_waiting();
    task.after = found->moment;
    task.patience = patience.value_or(runtime.event_patience);
    if (!found->resettable) return ACL_SUCCESS;  // nobody asks for its waits
    task.marks = std::make_shared<Moment>();
    std::erase_if(found->waits, [](const auto& wait) { return wait.second->passed(); });
    found->waits[runtime.device().find(stream)->queue.get()] = task.marks;
    return ACL_SUCCESS;
  });
}

// The moment that the event stands for now; nullptr: none.
aclError moment_of(aclrtEvent event, std::shared_ptr<Moment>& moment, const char* call) {
  Runtime& runtime = Runtime::instance();
  const Lock lock(runtime.mutex);
  Event* found = nullptr;
  if (const aclError code = find_event(runtime, event, found)) return code;
  if (const aclError code = check_not_captured(*found, call)) return code;
  moment = found->moment;
  return ACL_SUCCESS;
}

}  // namespace
}  // namespace opkit::acl

using namespace opkit::acl;

OPKIT_ACL_EXPORT aclError aclrtSetDevice(int32_t device) {
  Runtime& runtime = Runtime::instance();
  const Lock lock(runtime.mutex);
  if (const aclError code = check_device(device)) return code;
  runtime.contexts.set_device();
  return ACL_SUCCESS;
}

OPKIT_ACL_EXPORT aclError aclrtResetDevice(int32_t device) {
  return reset_device(device, false, "aclrtResetDevice");
}

OPKIT_ACL_EXPORT aclError aclrtResetDeviceForce(int32_t device) {
  return reset_device(device, true, "aclrtResetDeviceForce");
}

OPKIT_ACL_EXPORT aclError aclrtFreeWithDevSync(void* memory) {
  Runtime& runtime = Runtime::instance();
  if (const aclError code = check_thread(runtime, "aclrtFreeWithDevSync")) return code;
  if (const aclError code = check_wait(runtime, "aclrtFreeWithDevSync")) return code;
  runtime.scheduler().wait_for_all();
  return aclrtFree(memory);
}

OPKIT_ACL_EXPORT aclError aclrtGetDevice(int32_t* device) {
  Runtime& runtime = Runtime::instance();
  const Lock lock(runtime.mutex);
  if (!device) return fail(ACL_ERROR_INVALID_PARAM, "aclrtGetDevice wants a place");
  if (!runtime.has_context()) return no_context("aclrtGetDevice");
  *device = 0;
  return ACL_SUCCESS;
}

OPKIT_ACL_EXPORT aclError aclrtGetDeviceCount(uint32_t* count) {
  if (!count) return fail(ACL_ERROR_INVALID_PARAM, "aclrtGetDeviceCount wants a place");
  *count = 1;
  return ACL_SUCCESS;
}

OPKIT_ACL_EXPORT aclError aclrtGetRunMode(aclrtRunMode* mode) {
  if (!mode) return fail(ACL_ERROR_INVALID_PARAM, "aclrtGetRunMode wants a place");
  *mode = ACL_HOST;
  return ACL_SUCCESS;
}

OPKIT_ACL_EXPORT const char* aclrtGetSocName(void) {
  Runtime& runtime = Runtime::instance();
  const Lock lock(runtime.mutex);
  return runtime.soc().name;
}

OPKIT_ACL_EXPORT aclError aclrtSynchronizeDevice(void) {
  return aclrtSynchronizeDeviceWithTimeout(-1);
}

OPKIT_ACL_EXPORT aclError aclrtSynchronizeDeviceWithTimeout(int32_t timeout) {
  if (timeout < -1) return fail(ACL_ERROR_RT_PARAM_INVALID, "timeout %d ms; -1 is none", timeout);
  Runtime& runtime = Runtime::instance();
  if (const aclError code = check_thread(runtime, "aclrtSynchronizeDevice")) return code;
  if (const aclError code = check_wait(runtime, "aclrtSynchronizeDevice")) return code;
  if (!runtime.scheduler().wait_for_all(deadline_of(timeout)))
    return fail(ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, "the streams took more than %d ms", timeout);
  for (const auto& queue : queues_of(runtime)) {
    const Failure failure = runtime.scheduler().failure(*queue);
    if (failure.code) return runtime.faults.tell(fail(failure.code, "%s", failure.text.c_str()));
  }
  return ACL_SUCCESS;
}

OPKIT_ACL_EXPORT aclError aclrtCreateContext(aclrtContext* context, int32_t device) {
  Runtime& runtime = Runtime::instance();
  const Lock lock(runtime.mutex);
  if (!context)
    return fail(ACL_ERROR_INVALID_PARAM,
                "no place for the new context; hand in the address of a handle");
  if (const aclError code = check_device(device)) return code;
  *context = runtime.contexts.add();
  return ACL_SUCCESS;
}

OPKIT_ACL_EXPORT aclError aclrtDestroyContext(aclrtContext context) {
  Runtime& runtime = Runtime::instance();
  const Lock lock(runtime.mutex);
  return runtime.contexts.destroy(context);
}

OPKIT_ACL_EXPORT aclError aclrtSetCurrentContext(aclrtContext context) {
  Runtime& runtime = Runtime::instance();
  const Lock lock(runtime.mutex);
  return runtime.contexts.choose(context);
}

OPKIT_ACL_EXPORT aclError aclrtGetCurrentContext(aclrtContext* context) {
  Runtime& runtime = Runtime::instance();
  const Lock lock(runtime.mutex);
  if (!context) return fail(ACL_ERROR_INVALID_PARAM, "aclrtGetCurrentContext wants a place");
  const Context* const current = runtime.contexts.current();
  if (!current) return no_context("aclrtGetCurrentContext");
  *context = const_cast<Context*>(current);
  return ACL_SUCCESS;
}

OPKIT_ACL_EXPORT aclError aclrtCreateStream(aclrtStream* stream) {
  Runtime& runtime = Runtime::instance();
  const Lock lock(runtime.mutex);
  const int32_t number = runtime.next_stream++;
  if (const aclError code = make(runtime, runtime.device().streams(), number, stream)) return code;
  Stream& made = *runtime.device().find(*stream);
  made.context = runtime.contexts.current();
  made.queue->stream = made.id;
  return ACL_SUCCESS;
}

// Waits for the stream's work.
OPKIT_ACL_EXPORT aclError aclrtDestroyStream(aclrtStream stream) {
  Runtime& runtime = Runtime::instance();
  if (const aclError code = check_not_captured(stream, "aclrtDestroyStream")) return code;
  if (const aclError code = runtime.callbacks.check_wait(stream)) return code;
  if (stream && queue_of(stream)) finish(stream);
  runtime.faults.accept();
  {
    const Lock lock(runtime.mutex);
    if (const aclError code = runtime.device().streams().destroy(stream)) return code;
  }
  runtime.callbacks.forget(stream);
  return ACL_SUCCESS;
}

OPKIT_ACL_EXPORT aclError aclrtSynchronizeStream(aclrtStream stream) {
  return aclrtSynchronizeStreamWithTimeout(stream, -1);
}

OPKIT_ACL_EXPORT aclError aclrtSynchronizeStreamWithTimeout(aclrtStream stream, int32_t timeout) {
  if (timeout < -1) return fail(ACL_ERROR_RT_PARAM_INVALID, "timeout %d ms; -1 is none", timeout);
  return wait_for(stream, deadline_of(timeout));
}

OPKIT_ACL_EXPORT aclError aclrtCreateEvent(aclrtEvent* event) {
  Runtime& runtime = Runtime::instance();
  const Lock lock(runtime.mutex);
  return make(runtime, runtime.events, runtime.next_event++, event);
}

OPKIT_ACL_EXPORT aclError aclrtDestroyEvent(aclrtEvent event) {
  Runtime& runtime = Runtime::instance();
  const Lock lock(runtime.mutex);
  return runtime.events.destroy(event);
}

OPKIT_ACL_EXPORT aclError aclrtRecordEvent(aclrtEvent event, aclrtStream stream) {
  if (const auto code = capture_record(event, stream)) return *code;
  return submit(stream, [&](Runtime& runtime, Task& task) -> aclError {
    Event* found = nullptr;
    if (const aclError code = find_event(runtime, event, found)) return code;
    found->moment = task.marks = std::make_shared<Moment>();
    return ACL_SUCCESS;
  });
}

OPKIT_ACL_EXPORT aclError aclrtStreamWaitEvent(aclrtStream stream, aclrtEvent event) {
  return wait_for_event(stream, event, {});
}

OPKIT_ACL_EXPORT aclError aclrtStreamWaitEventWithTimeout(aclrtStream stream, aclrtEvent event,
                                                          int32_t timeout) {
  if (timeout < 0)
    return fail(ACL_ERROR_RT_PARAM_INVALID, "timeout %d s; 0 is none, more are possible", timeout);
  return wait_for_event(stream, event, std::chrono::seconds(timeout));
}

OPKIT_ACL_EXPORT aclError aclrtSetOpWaitTimeout(uint32_t timeout) {
  Runtime& runtime = Runtime::instance();
  const Lock lock(runtime.mutex);
  runtime.event_patience = std::chrono::seconds(timeout);
  return ACL_SUCCESS;
}

OPKIT_ACL_EXPORT aclError aclrtSynchronizeEvent(aclrtEvent event) {
  return aclrtSynchronizeEventWithTimeout(event, -1);
}

OPKIT_ACL_EXPORT aclError aclrtSynchronizeEventWithTimeout(aclrtEvent event, int32_t timeout) {
  if (timeout < -1) return fail(ACL_ERROR_RT_PARAM_INVALID, "timeout %d ms; -1 is none", timeout);
  std::shared_ptr<Moment> moment;
  if (const aclError code = moment_of(event, moment, "aclrtSynchronizeEvent")) return code;
  if (!moment || Runtime::instance().scheduler().wait(*moment, deadline_of(timeout)))
    return ACL_SUCCESS;
  return fail(ACL_ERROR_RT_EVENT_SYNC_TIMEOUT, "the event took more than %d ms", timeout);
}

OPKIT_ACL_EXPORT aclError aclrtQueryEventStatus(aclrtEvent event,
                                                aclrtEventRecordedStatus* status) {
  Runtime& runtime = Runtime::instance();
  runtime.scheduler().asked();
  const Lock lock(runtime.mutex);
  Event* found = nullptr;
  if (const aclError code = find_event(runtime, event, found)) return code;
  if (!status) return fail(ACL_ERROR_INVALID_PARAM, "aclrtQueryEventStatus wants a place");
  if (const aclError code = check_not_captured(*found, "aclrtQueryEventStatus")) return code;
  *status =
      found->done() ? ACL_EVENT_RECORDED_STATUS_COMPLETE : ACL_EVENT_RECORDED_STATUS_NOT_READY;
  return ACL_SUCCESS;
}

OPKIT_ACL_EXPORT aclError aclrtEventElapsedTime(float* ms, aclrtEvent start, aclrtEvent end) {
  Runtime& runtime = Runtime::instance();
  const Lock lock(runtime.mutex);
  Event *first = nullptr, *last = nullptr;
  if (const aclError code = find_event(runtime, start, first)) return code;
  if (const aclError code = find_event(runtime, end, last)) return code;
  if (!ms) return fail(ACL_ERROR_INVALID_PARAM, "aclrtEventElapsedTime wants a place");
  for (const Event* event : {first, last}) {
    if (const aclError code = check_not_captured(*event, "aclrtEventElapsedTime")) return code;
    if (const aclError code = event->check_time()) return code;
  }
  using Milliseconds = std::chrono::duration<float, std::milli>;
  *ms = Milliseconds(last->moment->at() - first->moment->at()).count();
  return ACL_SUCCESS;
}
