// Writes steps on oneDNN as calls of the exported project's onednn::Plan.
#ifndef OPKIT_MODEL_EXPORT_EMIT_ONEDNN_H_
#define OPKIT_MODEL_EXPORT_EMIT_ONEDNN_H_

#include <functional>
#include <string>

#include "opkit/model/export/chains.h"
#include "opkit/model/export/emit.h"
#include "opkit/model/export/program.h"

namespace opkit::model_export {

// What steps are made of.
struct StepsOf {
  const ExportedProgram& program;
  std::function<Variable(const std::string& name)> variable;
  // Tells whether nothing reads the value behind the operation.
  std::function<bool(const std::string& name, size_t operation)> is_last;
};

// Returns an expression that adds the step and is false where the library has no fast form of it;
// empty: the library has nothing like it.
std::string onednn_step(const StepsOf& steps, const OperationChain& chain);
// Likewise for an operation that no chain has: pools, Softmax, LayerNormalization, Concat,
// Transpose.
std::string onednn_step(const StepsOf& steps, size_t operation);

}  // namespace opkit::model_export

#endif  // OPKIT_MODEL_EXPORT_EMIT_ONEDNN_H_
