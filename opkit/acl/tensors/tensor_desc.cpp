#include "opkit/acl/tensors/tensor_desc.h"

#include <algorithm>
#include <cstring>

#include "opkit/acl/base/ask.h"
#include "opkit/acl/base/lock.h"
#include "opkit/base/dtype.h"

bool aclTensorDesc::is_static() const {
  return !any_rank && std::all_of(dims.begin(), dims.end(), [](int64_t dim) { return dim >= 0; });
}

size_t aclTensorDesc::elements() const {
  int64_t all = 1;
  for (const int64_t dim : dims) {
    if (__builtin_mul_overflow(all, dim, &all)) return 0;
  }
  return static_cast<size_t>(all);
}

size_t aclTensorDesc::bytes() const {
  const auto& known = opkit::all_dtypes();
  const auto type = static_cast<opkit::DType>(dtype);
  if (std::find(known.begin(), known.end(), type) == known.end()) return 0;
  return opkit::bytes_of(type, elements());
}

namespace opkit::acl {
namespace {

constexpr int kMostDims = 128;  // page "aclCreateTensorDesc"
constexpr int64_t kAny = -1, kAnyRank = -2;

bool check_dims(const char* call, int count, const int64_t* dims) {
  if (count < 0 || count > kMostDims || (count != 0 && !dims)) {
    fail(ACL_ERROR_INVALID_PARAM, "%s: %d dims at %p; 0 to %d are possible, in an array", call,
         count, static_cast<const void*>(dims), kMostDims);
    return false;
  }
  for (int i = 0; i < count; ++i) {
    if (dims[i] >= kAny || (dims[i] == kAnyRank && count == 1)) continue;
    fail(ACL_ERROR_INVALID_PARAM,
         "%s: dim %d is %lld; it must be 0 or more, -1 for any, or -2 alone for any rank", call, i,
         static_cast<long long>(dims[i]));
    return false;
  }
  return true;
}

aclError no_dim(const aclTensorDesc& desc, size_t index) {
  return fail(ACL_ERROR_INVALID_PARAM, "dim %zu of a tensor with %zu", index, desc.dims.size());
}

template <typename Value, typename Answer>
Value ask_desc(const aclTensorDesc* desc, Value otherwise, Answer answer) {
  return ask(tensor_descs(), desc, otherwise, answer);
}
template <typename Answer>
aclError ask_desc(const aclTensorDesc* desc, Answer answer) {
  return ask(tensor_descs(), desc, answer);
}

}  // namespace

HandleTable<aclTensorDesc>& tensor_descs() {
  static HandleTable<aclTensorDesc>& all = *new HandleTable<aclTensorDesc>("aclTensorDesc");
  return all;
}

DescRows& desc_rows() {
  static DescRows& own = *new DescRows;
  return own;
}

}  // namespace opkit::acl

using namespace opkit::acl;

OPKIT_ACL_EXPORT aclTensorDesc* aclCreateTensorDesc(aclDataType dtype, int count,
                                                    const int64_t* dims, aclFormat format) {
  if (!check_dims("aclCreateTensorDesc", count, dims)) return nullptr;
  aclTensorDesc desc;
  desc.dtype = dtype;
  desc.format = format;
  desc.any_rank = count == 1 && dims[0] == kAnyRank;
  if (!desc.any_rank) desc.dims.assign(dims, dims + count);
  return make(tensor_descs(), std::move(desc));
}

OPKIT_ACL_EXPORT void aclDestroyTensorDesc(const aclTensorDesc* desc) {
  const Lock lock;
  const auto row = desc_rows().find(desc);
  if (row == desc_rows().end()) {
    tensor_descs().destroy(desc);
    return;
  }
  for (const aclTensorDesc* one : row->second) tensor_descs().destroy(one);
  desc_rows().erase(row);
}

OPKIT_ACL_EXPORT void* aclGetTensorDescAddress(const aclTensorDesc* desc) {
  return ask_desc(desc, static_cast<void*>(nullptr),
                  [](const aclTensorDesc& d) { return d.address; });
}

OPKIT_ACL_EXPORT aclDataType aclGetTensorDescType(const aclTensorDesc* desc) {
  return ask_desc(desc, ACL_DT_UNDEFINED, [](const aclTensorDesc& d) { return d.dtype; });
}

OPKIT_ACL_EXPORT aclFormat aclGetTensorDescFormat(const aclTensorDesc* desc) {
  return ask_desc(desc, ACL_FORMAT_UNDEFINED, [](const aclTensorDesc& d) { return d.format; });
}

OPKIT_ACL_EXPORT size_t aclGetTensorDescSize(const aclTensorDesc* desc) {
  return ask_desc(desc, size_t{0},
                  [](const aclTensorDesc& d) { return d.is_static() ? d.bytes() : 0; });
}

OPKIT_ACL_EXPORT size_t aclGetTensorDescElementCount(const aclTensorDesc* desc) {
  return ask_desc(desc, size_t{0},
                  [](const aclTensorDesc& d) { return d.is_static() ? d.elements() : 0; });
}

OPKIT_ACL_EXPORT size_t aclGetTensorDescNumDims(const aclTensorDesc* desc) {
  return ask_desc(desc, size_t{0}, [](const aclTensorDesc& d) {
    return d.any_rank ? size_t{ACL_UNKNOWN_RANK} : d.dims.size();
  });
}

OPKIT_ACL_EXPORT aclError aclGetTensorDescDimV2(const aclTensorDesc* desc, size_t index,
                                                int64_t* size) {
  return ask_desc(desc, [&](const aclTensorDesc& d) -> aclError {
    if (!size) return fail(ACL_ERROR_INVALID_PARAM, "aclGetTensorDescDimV2 wants a place");
    if (index >= d.dims.size()) return no_dim(d, index);
    *size = d.dims[index];
    return ACL_SUCCESS;
  });
}

OPKIT_ACL_EXPORT int64_t aclGetTensorDescDim(const aclTensorDesc* desc, size_t index) {
  int64_t size = -1;
  aclGetTensorDescDimV2(desc, index, &size);
  return size;
}

OPKIT_ACL_EXPORT aclError aclGetTensorDescDimRange(const aclTensorDesc* desc, size_t index,
                                                   size_t count, int64_t* range) {
  return ask_desc(desc, [&](const aclTensorDesc& d) -> aclError {
    if (!range || count < ACL_TENSOR_SHAPE_RANGE_NUM)
      return fail(ACL_ERROR_INVALID_PARAM, "aclGetTensorDescDimRange wants room for 2 numbers");
    if (index >= d.dims.size()) return no_dim(d, index);
    const int64_t dim = d.dims[index];
    range[0] = d.ranges.empty() ? std::max<int64_t>(dim, 0) : d.ranges[index][0];
    range[1] = d.ranges.empty() ? dim : d.ranges[index][1];
    return ACL_SUCCESS;
  });
}

OPKIT_ACL_EXPORT aclError aclSetTensorShapeRange(aclTensorDesc* desc, size_t count,
                                                 int64_t ranges[][ACL_TENSOR_SHAPE_RANGE_NUM]) {
  return ask_desc(desc, [&](aclTensorDesc& d) -> aclError {
    if (!ranges || count != d.dims.size())
      return fail(ACL_ERROR_INVALID_PARAM,
                  "aclSetTensorShapeRange: %zu ranges for a tensor of %zu dims", count,
                  d.dims.size());
    for (size_t i = 0; i < count; ++i) {
      const int64_t least = ranges[i][0], most = ranges[i][1];
      if (least < 0 || (most != kAny && most < least) ||
          (d.dims[i] >= 0 && (d.dims[i] < least || (most != kAny && d.dims[i] > most))))
        return fail(ACL_ERROR_INVALID_PARAM, "dim %zu of %lld cannot lie from %lld to %lld", i,
                    static_cast<long long>(d.dims[i]), static_cast<long long>(least),
                    static_cast<long long>(most));
    }
    d.ranges.resize(count);
    for (size_t i = 0; i < count; ++i) d.ranges[i] = {ranges[i][0], ranges[i][1]};
    return ACL_SUCCESS;
  });
}

OPKIT_ACL_EXPORT void aclSetTensorDescName(aclTensorDesc* desc, const char* name) {
  ask_desc(desc, [&](aclTensorDesc& d) {
    d.name = name ? name : "";
    return ACL_SUCCESS;
  });
}

OPKIT_ACL_EXPORT const char* aclGetTensorDescName(aclTensorDesc* desc) {
  return ask_desc(desc, "", [](const aclTensorDesc& d) { return d.name.c_str(); });
}

OPKIT_ACL_EXPORT aclError aclSetTensorFormat(aclTensorDesc* desc, aclFormat format) {
  return ask_desc(desc, [&](aclTensorDesc& d) {
    d.storage_format = format;
    return ACL_SUCCESS;
  });
}

OPKIT_ACL_EXPORT aclError aclSetTensorShape(aclTensorDesc* desc, int count, const int64_t* dims) {
  if (!check_dims("aclSetTensorShape", count, dims)) return ACL_ERROR_INVALID_PARAM;
  return ask_desc(desc, [&](aclTensorDesc& d) {
    d.storage_dims.assign(dims, dims + count);
    return ACL_SUCCESS;
  });
}

OPKIT_ACL_EXPORT aclError aclSetTensorPlaceMent(aclTensorDesc* desc, aclMemType memory) {
  return ask_desc(desc, [&](aclTensorDesc& d) -> aclError {
    if (memory < ACL_MEMTYPE_DEVICE || memory > ACL_MEMTYPE_HOST_COMPILE_INDEPENDENT)
      return fail(ACL_ERROR_INVALID_PARAM, "memory of kind %d; 0 to 2 are possible",
                  static_cast<int>(memory));
    d.memory = memory;
    return ACL_SUCCESS;
  });
}

OPKIT_ACL_EXPORT aclError aclSetTensorConst(aclTensorDesc* desc, void* data, size_t length) {
  return ask_desc(desc, [&](aclTensorDesc& d) -> aclError {
    if (!data || !d.is_static() || length != d.bytes())
      return fail(ACL_ERROR_INVALID_PARAM,
                  "aclSetTensorConst: %zu bytes at %p for a tensor of %zu bytes", length, data,
                  d.is_static() ? d.bytes() : 0);
    const auto* from = static_cast<const std::byte*>(data);
    d.value.assign(from, from + length);
    return ACL_SUCCESS;
  });
}
