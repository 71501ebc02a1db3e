// Creation, questions and destruction of the objects that aclnn calls take.
#include "opkit/acl/nn/nn_object.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>

#include "opkit/acl/base/lock.h"

bool aclTensor::is_contiguous() const {
  int64_t dense = 1;
  for (size_t i = stride.size(); i-- > 0;) {
    const int64_t dim = desc.shape[i];
    if (dim != 1 && stride[i] != dense) return desc.shape.elements() == 0;
    dense *= dim;
  }
  return true;
}

std::byte* aclTensor::first() const {
  return data + opkit::bytes_of(desc.dtype, static_cast<uint64_t>(offset));
}

namespace opkit::acl {
namespace {

// Null for a null place, a negative number, or too many of them; the text says which.
std::optional<std::vector<int64_t>> numbers(const int64_t* values, uint64_t count,
                                            const char* what) {
  constexpr uint64_t kMostDims = 8;  // page "aclCreateTensor": views have up to 8 dims
  if (count > kMostDims || (count != 0 && !values)) {
    fail(ACLNN_ERR_PARAM_INVALID, "aclCreateTensor: %llu %s; 0 to 8 are possible, in an array",
         static_cast<unsigned long long>(count), what);
    return std::nullopt;
  }
  std::vector<int64_t> all(values, values + count);
  for (const int64_t value : all) {
    if (value >= 0) continue;
    fail(ACLNN_ERR_PARAM_INVALID, "aclCreateTensor: %lld among the %s; none may be negative",
         static_cast<long long>(value), what);
    return std::nullopt;
  }
  return all;
}

std::vector<int64_t> dense_strides(const std::vector<int64_t>& dims) {
  std::vector<int64_t> strides(dims.size());
  int64_t dense = 1;
  for (size_t i = dims.size(); i-- > 0;) {
    strides[i] = dense;
    if (__builtin_mul_overflow(dense, dims[i], &dense)) return {};
  }
  return strides;
}

bool known(aclDataType type) {
  const auto& all = all_dtypes();
  return std::find(all.begin(), all.end(), static_cast<DType>(type)) != all.end();
}
bool known(aclFormat format) {
  const auto& all = all_formats();
  return std::find(all.begin(), all.end(), static_cast<Format>(format)) != all.end();
}

bool check(aclDataType type, aclFormat format, int64_t offset) {
  if (!known(type)) {
    fail(ACLNN_ERR_PARAM_INVALID, "aclCreateTensor: data type %d is none that opkit computes with",
         static_cast<int>(type));
  } else if (!known(format)) {
    fail(ACLNN_ERR_PARAM_INVALID, "aclCreateTensor: format %d is none that opkit knows",
         static_cast<int>(format));
  } else if (offset < 0) {
    fail(ACLNN_ERR_PARAM_INVALID, "aclCreateTensor: offset %lld; it may not be negative",
         static_cast<long long>(offset));
  } else {
    return true;
  }
  return false;
}

template <typename T>
aclnnStatus no_object(const HandleTable<T>& all, const void* handle) {
  const aclnnStatus code = handle ? ACLNN_ERR_PARAM_INVALID : ACLNN_ERR_PARAM_NULLPTR;
  return fail(code, "%p is no %s, or it was destroyed", handle, all.what());
}

template <typename T>
aclnnStatus destroy_object(HandleTable<T>& all, const void* handle) {
  return all.find(handle) ? all.destroy(handle) : no_object(all, handle);
}

// Answers a question about an object: answer(object) when it and the places are there.
template <typename T, typename Answer>
aclnnStatus ask(HandleTable<T> NnObjects::*kind, const void* handle, bool places, Answer answer) {
  const Lock lock;
  const HandleTable<T>& all = nn_objects().*kind;
  T* const object = all.find(handle);
  if (!object) return no_object(all, handle);
  if (!places)
    return fail(ACLNN_ERR_PARAM_NULLPTR, "no place for an answer about an %s", all.what());
  answer(*object);
  return ACLNN_SUCCESS;
}

aclnnStatus give_numbers(const aclTensor* tensor, int64_t** values, uint64_t* count,
                         const std::vector<int64_t>& (*of)(const aclTensor&)) {
  return ask(&NnObjects::tensors, tensor, values && count, [&](const aclTensor& t) {
    const std::vector<int64_t>& all = of(t);
    *values = new int64_t[all.size()];
    std::copy(all.begin(), all.end(), *values);
    *count = all.size();
  });
}

template <typename Array, typename Value>
Array* make_array(HandleTable<Array> NnObjects::*kind, const Value* values, uint64_t size) {
  const Lock lock;
  HandleTable<Array>& all = nn_objects().*kind;
  if (size != 0 && !values) {
    fail(ACLNN_ERR_PARAM_NULLPTR, "no values for an %s of %llu", all.what(),
         static_cast<unsigned long long>(size));
    return nullptr;
  }
  auto array = std::make_unique<Array>();
  array->values.assign(values, values + size);
  return all.add(std::move(array));
}

template <typename T>
aclnnStatus destroy_one(HandleTable<T> NnObjects::*kind, const void* handle) {
  const Lock lock;
  return destroy_object(nn_objects().*kind, handle);
}

// Takes an item that the program destroys by itself out of its lists, which would destroy whatever
// lies at its address later.
template <typename List, typename Item>
aclnnStatus destroy_item(HandleTable<List> NnObjects::*lists, HandleTable<Item> NnObjects::*items,
                         const Item* handle) {
  const Lock lock;
  if (handle) {
    (nn_objects().*lists).each([&](List& list) {
      std::replace(list.items.begin(), list.items.end(), handle, static_cast<const Item*>(nullptr));
    });
  }
  return destroy_object(nn_objects().*items, handle);
}

template <typename List, typename Item>
List* make_list(HandleTable<List> NnObjects::*lists, HandleTable<Item> NnObjects::*items,
                const Item* const* value, uint64_t size) {
  const Lock lock;
  auto list = std::make_unique<List>();
  for (uint64_t i = 0; i < size; ++i) {
    const Item* const item = value ? value[i] : nullptr;
    if (!(nn_objects().*items).find(item)) {
      no_object(nn_objects().*items, item);
      return nullptr;
    }
    list->items.push_back(item);
  }
  return (nn_objects().*lists).add(std::move(list));
}

template <typename List, typename Item>
aclnnStatus destroy_list(HandleTable<List> NnObjects::*lists, HandleTable<Item> NnObjects::*items,
                         const void* handle) {
  const Lock lock;
  const List* const list = (nn_objects().*lists).find(handle);
  if (!list) return no_object(nn_objects().*lists, handle);
  for (const Item* item : list->items) {
    if (item) (nn_objects().*items).destroy(item);
  }
  return (nn_objects().*lists).destroy(handle);
}

}  // namespace

NnObjects& nn_objects() {
  static NnObjects& own = *new NnObjects;
  return own;
}

}  // namespace opkit::acl

using namespace opkit::acl;

OPKIT_ACL_EXPORT aclTensor* aclCreateTensor(const int64_t* viewDims, uint64_t viewDimsNum,
                                            aclDataType dataType, const int64_t* stride,
                                            int64_t offset, aclFormat format,
                                            const int64_t* storageDims, uint64_t storageDimsNum,
                                            void* tensorData) {
  const Lock lock;
  const auto view = numbers(viewDims, viewDimsNum, "dims of the view");
  const auto storage = numbers(storageDims, storageDimsNum, "dims of the storage");
  if (!view || !storage || !check(dataType, format, offset)) return nullptr;
  const auto strides =
      stride ? numbers(stride, viewDimsNum, "strides") : std::optional(dense_strides(*view));
  if (!strides) return nullptr;
  if (strides->size() != view->size() || !opkit::Shape(*view).checked_elements().ok()) {
    fail(ACLNN_ERR_PARAM_INVALID, "aclCreateTensor: a view of more than 2^62 elements");
    return nullptr;
  }
  auto tensor = std::make_unique<aclTensor>();
  tensor->desc.dtype = static_cast<opkit::DType>(dataType);
  tensor->desc.format = static_cast<opkit::Format>(format);
  tensor->desc.shape = opkit::Shape(*view);
  tensor->stride = *strides;
  tensor->offset = offset;
  tensor->storage = *storage;
  tensor->data = static_cast<std::byte*>(tensorData);
  return nn_objects().tensors.add(std::move(tensor));
}

OPKIT_ACL_EXPORT aclnnStatus aclDestroyTensor(const aclTensor* tensor) {
  return destroy_item(&NnObjects::tensor_lists, &NnObjects::tensors, tensor);
}

OPKIT_ACL_EXPORT aclnnStatus aclGetViewShape(const aclTensor* tensor, int64_t** viewDims,
                                             uint64_t* viewDimsNum) {
  return give_numbers(
      tensor, viewDims, viewDimsNum,
      [](const aclTensor& t) -> const std::vector<int64_t>& { return t.desc.shape.dims(); });
}

OPKIT_ACL_EXPORT aclnnStatus aclGetStorageShape(const aclTensor* tensor, int64_t** storageDims,
                                                uint64_t* storageDimsNum) {
  return give_numbers(tensor, storageDims, storageDimsNum,
                      [](const aclTensor& t) -> const std::vector<int64_t>& { return t.storage; });
}

OPKIT_ACL_EXPORT aclnnStatus aclGetViewStrides(const aclTensor* tensor, int64_t** strides,
                                               uint64_t* stridesNum) {
  return give_numbers(tensor, strides, stridesNum,
                      [](const aclTensor& t) -> const std::vector<int64_t>& { return t.stride; });
}

OPKIT_ACL_EXPORT aclnnStatus aclGetViewOffset(const aclTensor* tensor, int64_t* offset) {
  return ask(&NnObjects::tensors, tensor, offset, [&](const aclTensor& t) { *offset = t.offset; });
}

OPKIT_ACL_EXPORT aclnnStatus aclGetFormat(const aclTensor* tensor, aclFormat* format) {
  return ask(&NnObjects::tensors, tensor, format,
             [&](const aclTensor& t) { *format = static_cast<aclFormat>(t.desc.format); });
}

OPKIT_ACL_EXPORT aclnnStatus aclGetDataType(const aclTensor* tensor, aclDataType* dataType) {
  return ask(&NnObjects::tensors, tensor, dataType,
             [&](const aclTensor& t) { *dataType = static_cast<aclDataType>(t.desc.dtype); });
}

OPKIT_ACL_EXPORT aclnnStatus aclGetRawTensorAddr(const aclTensor* tensor, void** addr) {
  return ask(&NnObjects::tensors, tensor, addr, [&](const aclTensor& t) { *addr = t.data; });
}

OPKIT_ACL_EXPORT aclnnStatus aclSetRawTensorAddr(aclTensor* tensor, void* addr) {
  return ask(&NnObjects::tensors, tensor, true,
             [&](aclTensor& t) { t.data = static_cast<std::byte*>(addr); });
}

OPKIT_ACL_EXPORT aclScalar* aclCreateScalar(void* value, aclDataType dataType) {
  const Lock lock;
  const size_t bytes = aclDataTypeSize(dataType);
  if (!value || bytes == 0) {
    fail(value ? ACLNN_ERR_PARAM_INVALID : ACLNN_ERR_PARAM_NULLPTR,
         "aclCreateScalar(%p, type %d): it wants a value of a type with whole bytes", value,
         static_cast<int>(dataType));
    return nullptr;
  }
  auto scalar = std::make_unique<aclScalar>();
  scalar->dtype = dataType;
  scalar->value.resize(bytes);
  std::memcpy(scalar->value.data(), value, bytes);
  return nn_objects().scalars.add(std::move(scalar));
}

OPKIT_ACL_EXPORT aclnnStatus aclDestroyScalar(const aclScalar* scalar) {
  return destroy_item(&NnObjects::scalar_lists, &NnObjects::scalars, scalar);
}

OPKIT_ACL_EXPORT aclIntArray* aclCreateIntArray(const int64_t* value, uint64_t size) {
  return make_array(&NnObjects::int_arrays, value, size);
}
OPKIT_ACL_EXPORT aclnnStatus aclDestroyIntArray(const aclIntArray* array) {
  return destroy_one(&NnObjects::int_arrays, array);
}
OPKIT_ACL_EXPORT aclnnStatus aclGetIntArraySize(const aclIntArray* array, uint64_t* size) {
  return ask(&NnObjects::int_arrays, array, size,
             [&](const aclIntArray& a) { *size = a.values.size(); });
}

OPKIT_ACL_EXPORT aclFloatArray* aclCreateFloatArray(const float* value, uint64_t size) {
  return make_array(&NnObjects::float_arrays, value, size);
}
OPKIT_ACL_EXPORT aclnnStatus aclDestroyFloatArray(const aclFloatArray* array) {
  return destroy_one(&NnObjects::float_arrays, array);
}
OPKIT_ACL_EXPORT aclnnStatus aclGetFloatArraySize(const aclFloatArray* array, uint64_t* size) {
  return ask(&NnObjects::float_arrays, array, size,
             [&](const aclFloatArray& a) { *size = a.values.size(); });
}

OPKIT_ACL_EXPORT aclBoolArray* aclCreateBoolArray(const bool* value, uint64_t size) {
  return make_array(&NnObjects::bool_arrays, value, size);
}
OPKIT_ACL_EXPORT aclnnStatus aclDestroyBoolArray(const aclBoolArray* array) {
  return destroy_one(&NnObjects::bool_arrays, array);
}
OPKIT_ACL_EXPORT aclnnStatus aclGetBoolArraySize(const aclBoolArray* array, uint64_t* size) {
  return ask(&NnObjects::bool_arrays, array, size,
             [&](const aclBoolArray& a) { *size = a.values.size(); });
}

OPKIT_ACL_EXPORT aclTensorList* aclCreateTensorList(const aclTensor* const* value, uint64_t size) {
  return make_list(&NnObjects::tensor_lists, &NnObjects::tensors, value, size);
}
OPKIT_ACL_EXPORT aclnnStatus aclDestroyTensorList(const aclTensorList* list) {
  return destroy_list(&NnObjects::tensor_lists, &NnObjects::tensors, list);
}
OPKIT_ACL_EXPORT aclnnStatus aclGetTensorListSize(const aclTensorList* list, uint64_t* size) {
  return ask(&NnObjects::tensor_lists, list, size,
             [&](const aclTensorList& l) { *size = l.items.size(); });
}

OPKIT_ACL_EXPORT aclScalarList* aclCreateScalarList(const aclScalar* const* value, uint64_t size) {
  return make_list(&NnObjects::scalar_lists, &NnObjects::scalars, value, size);
}
OPKIT_ACL_EXPORT aclnnStatus aclDestroyScalarList(const aclScalarList* list) {
  return destroy_list(&NnObjects::scalar_lists, &NnObjects::scalars, list);
}
OPKIT_ACL_EXPORT aclnnStatus aclGetScalarListSize(const aclScalarList* list, uint64_t* size) {
  return ask(&NnObjects::scalar_lists, list, size,
             [&](const aclScalarList& l) { *size = l.items.size(); });
}
