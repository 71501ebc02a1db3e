// Initialisation, errors, numbers, data buffers.
#include <optional>
#include <string>

#include "opkit/python/bound.h"

namespace opkit::python {
namespace {

aclError init(const std::optional<std::string>& config) {
  return aclInit(config ? config->c_str() : nullptr);
}

// "" when nothing went wrong on this thread.
std::string recent_error() {
  const char* const text = aclGetRecentErrMsg();
  return text ? text : "";
}

}  // namespace

void add_base(py::module_& acl) {
  acl.def("init", init, py::arg("config_path") = py::none(), Unlocked());
  plain(acl, "finalize", aclFinalize);
  acl.def("get_recent_err_msg", recent_error);
  plain(acl, "get_soc_name", aclrtGetSocName);
  plain(acl, "float16_to_float", aclFloat16ToFloat);
  plain(acl, "float_to_float16", aclFloatToFloat16);
  plain(acl, "data_type_size", aclDataTypeSize);
  plain(acl, "create_data_buffer", aclCreateDataBuffer);
  plain(acl, "destroy_data_buffer", aclDestroyDataBuffer);
  plain(acl, "update_data_buffer", aclUpdateDataBuffer);
  plain(acl, "get_data_buffer_addr", aclGetDataBufferAddr);
  plain(acl, "get_data_buffer_size", aclGetDataBufferSize);
  plain(acl, "get_data_buffer_size_v2", aclGetDataBufferSizeV2);
}

}  // namespace opkit::python
