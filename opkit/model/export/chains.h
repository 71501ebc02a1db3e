// Finds what one primitive of a library does at once: a product and what follows it.
#ifndef OPKIT_MODEL_EXPORT_CHAINS_H_
#define OPKIT_MODEL_EXPORT_CHAINS_H_

#include <string>
#include <vector>

#include "opkit/model/export/program.h"

namespace opkit::model_export {

// What is done to the result of the operations before.
struct Follower {
  std::string what;  // oneDNN's name of the algorithm
  double alpha = 0, beta = 0;
  std::string operand;  // names the other operand of Add, Sub, Mul; empty: a function
};

// Operations that one step does, in order; values between them have no other reader.
struct OperationChain {
  std::vector<size_t> operations;
  std::string bias;  // one number per channel, constant; empty: none
  std::vector<Follower> followers;
  std::string value;  // what the first follower is applied to, where there is no product

  size_t last() const { return operations.back(); }
};

// Returns a chain for each float Conv, MatMul and Gemm, and for each function or sum of tensors
// that no chain has.
std::vector<OperationChain> chains_of(const ExportedProgram& program);

}  // namespace opkit::model_export

#endif  // OPKIT_MODEL_EXPORT_CHAINS_H_
