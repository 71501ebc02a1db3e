// Device, contexts, streams and events.
#include "opkit/python/bound.h"

namespace opkit::python {
namespace {

void add_device(py::module_& rt) {
  plain(rt, "set_device", aclrtSetDevice);
  plain(rt, "reset_device", aclrtResetDevice);
  rt.def(
      "get_device",
      [] {
        int32_t device = 0;
        const aclError code = aclrtGetDevice(&device);
        return std::make_tuple(device, code);
      },
      Unlocked());
  gives_first(rt, "get_device_count", aclrtGetDeviceCount);
  gives_first(rt, "get_run_mode", aclrtGetRunMode);
  plain(rt, "synchronize_device", aclrtSynchronizeDevice);
  plain(rt, "synchronize_device_with_timeout", aclrtSynchronizeDeviceWithTimeout);
  gives_first(rt, "create_context", aclrtCreateContext);
  plain(rt, "destroy_context", aclrtDestroyContext);
  plain(rt, "set_context", aclrtSetCurrentContext);
  gives_first(rt, "get_context", aclrtGetCurrentContext);
}

void add_streams(py::module_& rt) {
  gives_first(rt, "create_stream", aclrtCreateStream);
  gives_first(rt, "create_stream_with_config", aclrtCreateStreamWithConfig);
  plain(rt, "destroy_stream", aclrtDestroyStream);
  plain(rt, "destroy_stream_force", aclrtDestroyStreamForce);
  plain(rt, "synchronize_stream", aclrtSynchronizeStream);
  plain(rt, "synchronize_stream_with_timeout", aclrtSynchronizeStreamWithTimeout);
  gives_last(rt, "stream_query", aclrtStreamQuery);
}

void add_events(py::module_& rt) {
  gives_first(rt, "create_event", aclrtCreateEvent);
  gives_first(rt, "create_event_with_flag", aclrtCreateEventWithFlag);
  plain(rt, "destroy_event", aclrtDestroyEvent);
  plain(rt, "record_event", aclrtRecordEvent);
  plain(rt, "reset_event", aclrtResetEvent);
  plain(rt, "stream_wait_event", aclrtStreamWaitEvent);
  plain(rt, "synchronize_event", aclrtSynchronizeEvent);
  plain(rt, "synchronize_event_with_timeout", aclrtSynchronizeEventWithTimeout);
  gives_last(rt, "query_event_status", aclrtQueryEventStatus);
  gives_last(rt, "query_event_wait_status", aclrtQueryEventWaitStatus);
  gives_first(rt, "event_elapsed_time", aclrtEventElapsedTime);
}

}  // namespace

void add_runtime(py::module_& rt) {
  add_device(rt);
  add_streams(rt);
  add_events(rt);
}

}  // namespace opkit::python
