// The objects behind aclnn's handles.
#ifndef OPKIT_ACL_NN_NN_OBJECT_H_
#define OPKIT_ACL_NN_NN_OBJECT_H_

#include <cstdint>
#include <vector>

#include "aclnn/acl_meta.h"
#include "opkit/acl/base/handle_table.h"
#include "opkit/base/tensor.h"

struct aclTensor {
  opkit::TensorDesc desc;       // dtype, view and format
  std::vector<int64_t> stride;  // elements, one per dim of the view
  int64_t offset = 0;           // elements
  std::vector<int64_t> storage;
  std::byte* data = nullptr;  // device memory

  // Tells whether the elements lie as in a dense, row-major tensor.
  bool is_contiguous() const;
  // Returns the first element of the view. REQUIRES: elements have whole bytes, or offset is 0.
  std::byte* first() const;
};

struct aclScalar {
  aclDataType dtype = ACL_DT_UNDEFINED;
  std::vector<std::byte> value;
};
struct aclIntArray {
  std::vector<int64_t> values;
};
struct aclFloatArray {
  std::vector<float> values;
};
struct aclBoolArray {
  std::vector<bool> values;
};
struct aclTensorList {
  std::vector<const aclTensor*> items;
};
struct aclScalarList {
  std::vector<const aclScalar*> items;
};

namespace opkit::acl {

// Every object that a program has and has not destroyed.
struct NnObjects {
  HandleTable<aclTensor> tensors{"aclTensor"};
  HandleTable<aclScalar> scalars{"aclScalar"};
  HandleTable<aclIntArray> int_arrays{"aclIntArray"};
  HandleTable<aclFloatArray> float_arrays{"aclFloatArray"};
  HandleTable<aclBoolArray> bool_arrays{"aclBoolArray"};
  HandleTable<aclTensorList> tensor_lists{"aclTensorList"};
  HandleTable<aclScalarList> scalar_lists{"aclScalarList"};
};

// Returns those that the program has, made on first use and never destroyed. REQUIRES: the lock is
// held.
NnObjects& nn_objects();

}  // namespace opkit::acl

#endif  // OPKIT_ACL_NN_NN_OBJECT_H_
