// Addresses of bytes and arrays. On the chip a program on the host cannot read device memory; here
// it could, so that these functions refuse it.
#include <pybind11/numpy.h>

#include <string>

#include "opkit/python/bound.h"

namespace opkit::python {
namespace {

// Copies one byte as host memory; the runtime judges the address.
void check_host(Address pointer, const char* function) {
  if (pointer == 0) throw py::value_error(std::string(function) + ": the pointer is 0");
  char byte = 0;
  const aclError code = aclrtMemcpy(&byte, 1, at<void>(pointer), 1, ACL_MEMCPY_HOST_TO_HOST);
  if (code == ACL_ERROR_RT_CONTEXT_NULL) {
    aclGetRecentErrMsg();  // without a device there is no device memory
  } else if (code != ACL_SUCCESS) {
    throw py::value_error(std::string(function) + ": " + aclGetRecentErrMsg() +
                          "; copy it to the host with acl.rt.memcpy first");
  }
}

// Returns the bytes of an object; it must outlive the pointer.
Address bytes_to_ptr(const py::bytes& bytes) { return address_of(PyBytes_AS_STRING(bytes.ptr())); }

py::bytes ptr_to_bytes(Address pointer, size_t size) {
  if (size == 0) return py::bytes();
  check_host(pointer, "ptr_to_bytes");
  return py::bytes(at<const char>(pointer), size);
}

bool is_dense(const py::array& array) { return (array.flags() & py::array::c_style) != 0; }

Address numpy_to_ptr(const py::array& array) {
  if (!is_dense(array) &&
      PyErr_WarnEx(PyExc_UserWarning,
                   "The input ndarray is discontiguous: its pointer does not show its elements in "
                   "order. Use acl.util.numpy_contiguous_to_ptr instead.",
                   1) != 0)
    throw py::error_already_set();
  return address_of(array.data());
}

py::tuple numpy_contiguous_to_ptr(const py::array& array) {
  const py::array dense = is_dense(array) ? array : py::array::ensure(array, py::array::c_style);
  return py::make_tuple(address_of(dense.data()), dense);
}

// Returns an array over the memory, not a copy. type: a number of NumPy's (11 = float32, 23 =
// float16).
py::array ptr_to_numpy(Address pointer, const py::tuple& shape, int type) {
  check_host(pointer, "ptr_to_numpy");
  const py::dtype dtype(type);
  const auto dims = shape.cast<std::vector<py::ssize_t>>();
  return py::array(dtype, dims, at<void>(pointer), py::capsule(at<void>(pointer), [](void*) {}));
}

}  // namespace

void add_pointers(py::module_& util) {
  util.def("bytes_to_ptr", bytes_to_ptr);
  util.def("ptr_to_bytes", ptr_to_bytes);
  util.def("numpy_to_ptr", numpy_to_ptr);
  util.def("numpy_contiguous_to_ptr", numpy_contiguous_to_ptr);
  util.def("ptr_to_numpy", ptr_to_numpy);
}

}  // namespace opkit::python
