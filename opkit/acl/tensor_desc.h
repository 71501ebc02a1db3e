// What a program says of a tensor that a model or a single operator takes.
#ifndef OPKIT_ACL_TENSOR_DESC_H_
#define OPKIT_ACL_TENSOR_DESC_H_

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "acl/acl.h"

struct aclTensorDesc {
  aclDataType dtype = ACL_DT_UNDEFINED;
  aclFormat format = ACL_FORMAT_UNDEFINED;
  std::vector<int64_t> dims;  // -1: any
  bool any_rank = false;
  std::vector<std::array<int64_t, 2>> ranges;  // of each dim, or empty
  std::string name;
  // How the device stores it; unset: as its author sees it.
  std::optional<aclFormat> storage_format;
  std::vector<int64_t> storage_dims;
  aclMemType memory = ACL_MEMTYPE_DEVICE;
  std::vector<std::byte> value;  // of a constant
  void* address = nullptr;       // of an operator's that failed

  bool is_static() const;
  // Counts the elements of a static tensor; 0: more than 2^63.
  size_t elements() const;
  size_t bytes() const;
};

#endif  // OPKIT_ACL_TENSOR_DESC_H_
