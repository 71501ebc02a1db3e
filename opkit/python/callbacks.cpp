// Functions of Python as work of streams.
#include <memory>

#include "opkit/python/bound.h"

namespace opkit::python {
namespace {

struct Callback {
  py::object function, data;
};

// On the thread that calls process_report. What the function raises ends nothing: it is shown.
void run(void* given) {
  const py::gil_scoped_acquire locked;
  const std::unique_ptr<Callback> callback(static_cast<Callback*>(given));
  try {
    callback->function(callback->data);
  } catch (py::error_already_set& error) {
    error.discard_as_unraisable("acl.rt.launch_callback");
  }
}

aclError launch(py::function function, py::object data, int block, Address stream) {
  auto callback = std::make_unique<Callback>(Callback{std::move(function), std::move(data)});
  aclError code;
  {
    const py::gil_scoped_release unlocked;
    code = aclrtLaunchCallback(run, callback.get(), static_cast<aclrtCallbackBlockType>(block),
                               at<void>(stream));
  }
  if (code == ACL_SUCCESS) callback.release();
  return code;
}

}  // namespace

void add_callbacks(py::module_& rt) {
  plain(rt, "subscribe_report", aclrtSubscribeReport);
  plain(rt, "unsubscribe_report", aclrtUnSubscribeReport);
  rt.def("launch_callback", launch);
  plain(rt, "process_report", aclrtProcessReport);
}

}  // namespace opkit::python
