// Threads by the number that subscribe_report takes.
#include "opkit/python/bound.h"

namespace opkit::python {
namespace {

// Python's own threads: `threading.Thread.ident` is the number of the host's thread.
std::tuple<uint64_t, aclError> start_thread(const py::function& function, const py::object& data,
                                            py::dict& running) {
  const py::object thread =
      py::module_::import("threading")
          .attr("Thread")(py::arg("target") = function, py::arg("args") = py::make_tuple(data),
                          py::arg("daemon") = true);
  thread.attr("start")();
  const auto number = thread.attr("ident").cast<uint64_t>();
  running[py::int_(number)] = thread;
  return {number, ACL_SUCCESS};
}

// Waits until its function has returned.
aclError stop_thread(uint64_t number, py::dict& running) {
  const py::int_ key(number);
  if (!running.contains(key)) return ACL_ERROR_INVALID_PARAM;
  const py::object thread = running[key];
  thread.attr("join")();
  if (running.contains(key)) PyDict_DelItem(running.ptr(), key.ptr());
  return ACL_SUCCESS;
}

}  // namespace

void add_threads(py::module_& util) {
  py::dict running;
  util.def("start_thread", [running](const py::function& function, const py::object& data) mutable {
    return start_thread(function, data, running);
  });
  util.def("stop_thread",
           [running](uint64_t number) mutable { return stop_thread(number, running); });
}

}  // namespace opkit::python
