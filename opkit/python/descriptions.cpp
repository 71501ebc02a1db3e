// Descriptions of tensors.
#include <array>
#include <vector>

#include "opkit/python/bound.h"

namespace opkit::python {
namespace {

using Range = std::array<int64_t, ACL_TENSOR_SHAPE_RANGE_NUM>;

Address create(int dtype, const std::vector<int64_t>& dims, int format) {
  return address_of(aclCreateTensorDesc(static_cast<aclDataType>(dtype),
                                        static_cast<int>(dims.size()), dims.data(),
                                        static_cast<aclFormat>(format)));
}

aclError set_shape(Address desc, const std::vector<int64_t>& dims) {
  return aclSetTensorShape(at<aclTensorDesc>(desc), static_cast<int>(dims.size()), dims.data());
}

aclError set_range(Address desc, size_t count, std::vector<Range> ranges) {
  if (count != ranges.size())
    throw py::value_error("set_tensor_shape_range: dims_count is not the length of dims_range");
  using Pair = int64_t[ACL_TENSOR_SHAPE_RANGE_NUM];
  return aclSetTensorShapeRange(at<aclTensorDesc>(desc), count,
                                reinterpret_cast<Pair*>(ranges.data()));
}

std::tuple<std::vector<int64_t>, aclError> range(Address desc, size_t index, size_t count) {
  Range least_and_most{};
  const aclError code =
      aclGetTensorDescDimRange(at<aclTensorDesc>(desc), index, count, least_and_most.data());
  return {{least_and_most.begin(), least_and_most.end()}, code};
}

}  // namespace

void add_descriptions(py::module_& acl) {
  acl.def("create_tensor_desc", create, Unlocked());
  plain(acl, "destroy_tensor_desc", aclDestroyTensorDesc);
  plain(acl, "get_tensor_desc_type", aclGetTensorDescType);
  plain(acl, "get_tensor_desc_format", aclGetTensorDescFormat);
  plain(acl, "get_tensor_desc_size", aclGetTensorDescSize);
  plain(acl, "get_tensor_desc_element_count", aclGetTensorDescElementCount);
  plain(acl, "get_tensor_desc_num_dims", aclGetTensorDescNumDims);
  plain(acl, "get_tensor_desc_dim", aclGetTensorDescDim);
  gives_last(acl, "get_tensor_desc_dim_v2", aclGetTensorDescDimV2);
  acl.def("get_tensor_desc_dim_range", range, Unlocked());
  acl.def("set_tensor_shape_range", set_range, Unlocked());
  plain(acl, "set_tensor_desc_name", aclSetTensorDescName);
  plain(acl, "get_tensor_desc_name", aclGetTensorDescName);
  plain(acl, "set_tensor_format", aclSetTensorFormat);
  acl.def("set_tensor_shape", set_shape, Unlocked());
  plain(acl, "set_tensor_place_ment", aclSetTensorPlaceMent);
  plain(acl, "set_tensor_const", aclSetTensorConst);
}

}  // namespace opkit::python
