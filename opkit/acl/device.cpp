// Initialisation, device, contexts, streams and events of the runtime API.
#include <cstdio>

#include "opkit/acl/runtime.h"

namespace opkit::acl {
namespace {

aclError check_device(int32_t device) {
  if (device == 0) return ACL_SUCCESS;
  return fail(ACL_ERROR_RT_INVALID_DEVICEID, "device %d: there is one device, number 0", device);
}

void report_leaks(Runtime& runtime) {
  for (const auto& [base, allocation] : runtime.device_memory) {
    std::fprintf(stderr, "opkit: leak: %llu bytes of device memory at %p were never freed\n",
                 static_cast<unsigned long long>(allocation.asked), reinterpret_cast<void*>(base));
  }
  for (const auto& [base, allocation] : runtime.host_memory) {
    std::fprintf(stderr, "opkit: leak: %llu bytes of host memory at %p were never freed\n",
                 static_cast<unsigned long long>(allocation.asked), reinterpret_cast<void*>(base));
  }
  const auto count = [](size_t n, const char* what) {
    if (n != 0) std::fprintf(stderr, "opkit: leak: %zu %s never destroyed\n", n, what);
  };
  count(runtime.streams.size(), "stream(s)");
  count(runtime.events.size(), "event(s)");
  count(runtime.contexts.size(), "context(s)");
  if (!runtime.binaries.empty()) {
    std::fprintf(stderr, "opkit: leak: %zu kernel binaries never unloaded\n",
                 runtime.binaries.size());
  }
}

template <typename T>
aclError make(std::set<T*>& all, void** result, const char* what) {
  Runtime& runtime = Runtime::instance();
  if (!result) return fail(ACL_ERROR_INVALID_PARAM, "no place for the new %s", what);
  if (!runtime.has_context()) {
    return fail(ACL_ERROR_RT_CONTEXT_NULL, "a %s without a device; call aclrtSetDevice first",
                what);
  }
  *result = *all.insert(new T).first;
  return ACL_SUCCESS;
}

template <typename T>
aclError destroy(std::set<T*>& all, void* given, const char* what) {
  T* const one = static_cast<T*>(given);
  if (all.erase(one) == 0) {
    return fail(given ? ACL_ERROR_RT_INVALID_HANDLE : ACL_ERROR_INVALID_PARAM,
                "%p is no %s, or it was destroyed", given, what);
  }
  delete one;
  return ACL_SUCCESS;
}

Event* find_event(Runtime& runtime, aclrtEvent event) {
  const auto found = runtime.events.find(static_cast<Event*>(event));
  return found == runtime.events.end() ? nullptr : *found;
}

aclError no_event(aclrtEvent event) {
  return fail(event ? ACL_ERROR_RT_INVALID_HANDLE : ACL_ERROR_INVALID_PARAM,
              "%p is no event, or it was destroyed", event);
}

aclError no_stream(aclrtStream stream) {
  return fail(ACL_ERROR_RT_STREAM_CONTEXT, "%p is no stream, or it was destroyed", stream);
}

aclError stream_state(const Stream& stream) {
  if (!stream.failed) return ACL_SUCCESS;
  return fail(ACL_ERROR_RT_AICORE_EXCEPTION, "a kernel of this stream failed (see stderr)");
}

}  // namespace
}  // namespace opkit::acl

using namespace opkit::acl;

OPKIT_ACL_EXPORT aclError aclInit(const char*) {
  Runtime& runtime = Runtime::instance();
  const Lock lock(runtime.mutex);
  if (runtime.initialized) return fail(ACL_ERROR_REPEAT_INITIALIZE, "aclInit was called before");
  runtime.initialized = true;
  return ACL_SUCCESS;
}

OPKIT_ACL_EXPORT aclError aclFinalize(void) {
  Runtime& runtime = Runtime::instance();
  const Lock lock(runtime.mutex);
  if (!runtime.initialized) return fail(ACL_ERROR_UNINITIALIZE, "aclFinalize without aclInit");
  report_leaks(runtime);
  runtime.initialized = false;
  return ACL_SUCCESS;
}

OPKIT_ACL_EXPORT aclError aclrtSetDevice(int32_t device) {
  Runtime& runtime = Runtime::instance();
  const Lock lock(runtime.mutex);
  if (const aclError code = check_device(device)) return code;
  runtime.device_set = true;
  return ACL_SUCCESS;
}

OPKIT_ACL_EXPORT aclError aclrtResetDevice(int32_t device) {
  Runtime& runtime = Runtime::instance();
  const Lock lock(runtime.mutex);
  if (const aclError code = check_device(device)) return code;
  runtime.device_set = false;
  return ACL_SUCCESS;
}

OPKIT_ACL_EXPORT aclError aclrtGetDevice(int32_t* device) {
  Runtime& runtime = Runtime::instance();
  const Lock lock(runtime.mutex);
  if (!device) return fail(ACL_ERROR_INVALID_PARAM, "aclrtGetDevice wants a place");
  if (!runtime.has_context()) return fail(ACL_ERROR_RT_CONTEXT_NULL, "no device was set");
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
  Runtime& runtime = Runtime::instance();
  const Lock lock(runtime.mutex);
  for (const Stream* stream : runtime.streams) {
    if (const aclError code = stream_state(*stream)) return code;
  }
  return stream_state(runtime.default_stream);
}

OPKIT_ACL_EXPORT aclError aclrtCreateContext(aclrtContext* context, int32_t device) {
  Runtime& runtime = Runtime::instance();
  const Lock lock(runtime.mutex);
  if (!context) return fail(ACL_ERROR_INVALID_PARAM, "no place for the new context");
  if (const aclError code = check_device(device)) return code;
  runtime.current = *runtime.contexts.insert(new Context).first;
  *context = runtime.current;
  return ACL_SUCCESS;
}

OPKIT_ACL_EXPORT aclError aclrtDestroyContext(aclrtContext context) {
  Runtime& runtime = Runtime::instance();
  const Lock lock(runtime.mutex);
  if (runtime.current == context) runtime.current = nullptr;
  return destroy(runtime.contexts, context, "context");
}

OPKIT_ACL_EXPORT aclError aclrtSetCurrentContext(aclrtContext context) {
  Runtime& runtime = Runtime::instance();
  const Lock lock(runtime.mutex);
  const auto found = runtime.contexts.find(static_cast<Context*>(context));
  if (found == runtime.contexts.end()) {
    return fail(ACL_ERROR_INVALID_PARAM, "%p is no context, or it was destroyed", context);
  }
  runtime.current = *found;
  return ACL_SUCCESS;
}

OPKIT_ACL_EXPORT aclError aclrtGetCurrentContext(aclrtContext* context) {
  Runtime& runtime = Runtime::instance();
  const Lock lock(runtime.mutex);
  if (!context) return fail(ACL_ERROR_INVALID_PARAM, "aclrtGetCurrentContext wants a place");
  if (!runtime.current) return fail(ACL_ERROR_RT_CONTEXT_NULL, "no context is current");
  *context = runtime.current;
  return ACL_SUCCESS;
}

OPKIT_ACL_EXPORT aclError aclrtCreateStream(aclrtStream* stream) {
  Runtime& runtime = Runtime::instance();
  const Lock lock(runtime.mutex);
  return make(runtime.streams, stream, "stream");
}

OPKIT_ACL_EXPORT aclError aclrtDestroyStream(aclrtStream stream) {
  Runtime& runtime = Runtime::instance();
  const Lock lock(runtime.mutex);
  return destroy(runtime.streams, stream, "stream");
}

OPKIT_ACL_EXPORT aclError aclrtSynchronizeStream(aclrtStream stream) {
  Runtime& runtime = Runtime::instance();
  const Lock lock(runtime.mutex);
  const Stream* const found = runtime.find(stream);
  return found ? stream_state(*found) : no_stream(stream);
}

OPKIT_ACL_EXPORT aclError aclrtCreateEvent(aclrtEvent* event) {
  Runtime& runtime = Runtime::instance();
  const Lock lock(runtime.mutex);
  return make(runtime.events, event, "event");
}

OPKIT_ACL_EXPORT aclError aclrtDestroyEvent(aclrtEvent event) {
  Runtime& runtime = Runtime::instance();
  const Lock lock(runtime.mutex);
  return destroy(runtime.events, event, "event");
}

OPKIT_ACL_EXPORT aclError aclrtRecordEvent(aclrtEvent event, aclrtStream stream) {
  Runtime& runtime = Runtime::instance();
  const Lock lock(runtime.mutex);
  Event* const found = find_event(runtime, event);
  if (!found) return no_event(event);
  if (!runtime.find(stream)) return no_stream(stream);
  found->recorded = std::chrono::steady_clock::now();
  return ACL_SUCCESS;
}

OPKIT_ACL_EXPORT aclError aclrtStreamWaitEvent(aclrtStream stream, aclrtEvent event) {
  Runtime& runtime = Runtime::instance();
  const Lock lock(runtime.mutex);
  if (!find_event(runtime, event)) return no_event(event);
  return runtime.find(stream) ? ACL_SUCCESS : no_stream(stream);
}

OPKIT_ACL_EXPORT aclError aclrtSynchronizeEvent(aclrtEvent event) {
  Runtime& runtime = Runtime::instance();
  const Lock lock(runtime.mutex);
  return find_event(runtime, event) ? ACL_SUCCESS : no_event(event);
}

OPKIT_ACL_EXPORT aclError aclrtQueryEventStatus(aclrtEvent event,
                                                aclrtEventRecordedStatus* status) {
  Runtime& runtime = Runtime::instance();
  const Lock lock(runtime.mutex);
  const Event* const found = find_event(runtime, event);
  if (!found) return no_event(event);
  if (!status) return fail(ACL_ERROR_INVALID_PARAM, "aclrtQueryEventStatus wants a place");
  *status =
      found->recorded ? ACL_EVENT_RECORDED_STATUS_COMPLETE : ACL_EVENT_RECORDED_STATUS_NOT_READY;
  return ACL_SUCCESS;
}

OPKIT_ACL_EXPORT aclError aclrtEventElapsedTime(float* ms, aclrtEvent start, aclrtEvent end) {
  Runtime& runtime = Runtime::instance();
  const Lock lock(runtime.mutex);
  const Event* const first = find_event(runtime, start);
  const Event* const last = find_event(runtime, end);
  if (!first || !last) return no_event(first ? end : start);
  if (!ms || !first->recorded || !last->recorded) {
    return fail(ACL_ERROR_INVALID_PARAM, "aclrtEventElapsedTime wants two recorded events");
  }
  *ms = std::chrono::duration<float, std::milli>(*last->recorded - *first->recorded).count();
  return ACL_SUCCESS;
}
