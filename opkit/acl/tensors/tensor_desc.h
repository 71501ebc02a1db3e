// What a program says of a tensor that a model or a single operator takes.
#ifndef OPKIT_ACL_TENSORS_TENSOR_DESC_H_
#define OPKIT_ACL_TENSORS_TENSOR_DESC_H_

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "opkit/acl/base/handle_table.h"

struct aclTensorDesc {
  aclDataType dtype = ACL_DT_UNDEFINED;
  aclFormat format = ACL_FORMAT_UNDEFINED;
  std::vector<int64_t> dims;  // -1: any
  bool any_rank = false;
  std::vector<std::array<int64_t, 2>> ranges;  // bounds each dim, both ends included; or is empty
  std::string name;
  // How the device stores it; unset: as its author sees it.
  std::optional<aclFormat> storage_format;
  std::vector<int64_t> storage_dims;
  aclMemType memory = ACL_MEMTYPE_DEVICE;
  std::vector<std::byte> value;  // holds the value of a constant
  void* address = nullptr;       // tells where the tensor of an operator that failed lies

  bool is_static() const;
  // Counts the elements of a static tensor; 0: more than 2^63.
  size_t elements() const;
  size_t bytes() const;
};

namespace opkit::acl {

// Maps the first of several descriptions that were given at once to all of them.
using DescRows = std::map<const aclTensorDesc*, std::vector<aclTensorDesc*>>;

// Returns those that the program has, made on first use and never destroyed. REQUIRES: the lock is
// held.
HandleTable<aclTensorDesc>& tensor_descs();
// Returns those that the program has, made on first use and never destroyed. REQUIRES: the lock is
// held.
DescRows& desc_rows();

}  // namespace opkit::acl

#endif  // OPKIT_ACL_TENSORS_TENSOR_DESC_H_
