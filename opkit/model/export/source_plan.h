// The source of a model's steps on oneDNN. Private to this folder.
#ifndef OPKIT_MODEL_EXPORT_SOURCE_PLAN_H_
#define OPKIT_MODEL_EXPORT_SOURCE_PLAN_H_

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "opkit/model/export/emit_onednn.h"

namespace opkit::model_export {

// What is known when the loops are written.
struct PlanParts {
  const StepsOf& steps;
  const std::vector<OperationChain>& chains;
  const std::vector<std::string>& codes;  // loops of each operation
  // Places that nothing reads behind operation number key - 1; those of outputs.
  const std::map<size_t, std::vector<std::string>>& gone;
  const std::vector<std::string>& given;
  // Declares the variables of these operations that the body mentions.
  std::function<std::string(const std::vector<size_t>& operations, const std::string& body)>
      declarations;
  // The loop that rounds the result of an operation; empty: it is not rounded.
  std::function<std::string(size_t operation)> rounding;
};

// A function for each step, and make_plan, which calls all of them.
std::string plan_source(const PlanParts& parts);

}  // namespace opkit::model_export

#endif  // OPKIT_MODEL_EXPORT_SOURCE_PLAN_H_
