// The files of an op project that computes a region.
#ifndef OPKIT_FUSION_AUTHOR_OP_FILES_H_
#define OPKIT_FUSION_AUTHOR_OP_FILES_H_

#include <map>
#include <string>

#include "opkit/fusion/author/region.h"

namespace opkit::author {

struct OpNames {
  std::string op;      // CamelCase
  std::string snake;   // names files and the kernel's function
  std::string source;  // where the nodes are from: "nodes a, b of m.onnx"
  std::string types = "float16, float32, bfloat16";  // that the op takes
};

// Returns the files of an op by their paths in the project: op_contract.yaml, the kernel, its
// tiling struct, the host's tiling. The loops come from the shared parts elementwise.h and
// elementwise_plan.h.
std::map<std::string, std::string> op_files(const ElementwiseRegion& region, const OpNames& names);

// "Sigmoid, Mul".
std::string operators_of(const ElementwiseRegion& region);

// Private to this folder.
std::string contract_text(const ElementwiseRegion& region, const OpNames& names);

}  // namespace opkit::author

#endif  // OPKIT_FUSION_AUTHOR_OP_FILES_H_
