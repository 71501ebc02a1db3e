// ExportedProgram: an offline model as ONNX operators on values, each with the step that it came
// from.
#ifndef OPKIT_MODEL_EXPORT_PROGRAM_H_
#define OPKIT_MODEL_EXPORT_PROGRAM_H_

#include <map>
#include <string>
#include <vector>

#include "opkit/graph/graph.h"

namespace opkit::model_export {

// One operator.
struct Operation {
  graph::Node node;
  int opset = graph::kDefaultOpset;  // the version whose meaning the node has
  size_t call = 0;                   // is a place in ExportedProgram::calls
};

// A step of the model: a function of the source.
struct CoveredCall {
  std::string op;     // names the op of the plugin, or the ONNX operator
  std::string nodes;  // names the nodes of the model that it stands for
};

// An input or output as callers know it.
struct ProgramEnd {
  std::string name, value;
};

struct ExportedProgram {
  std::string name, soc;
  std::vector<ProgramEnd> inputs, outputs;
  std::vector<CoveredCall> calls;
  std::vector<Operation> operations;  // are in order
  // What is known of every value; a constant's elements, too.
  std::map<std::string, graph::ValueInfo> values;
  // Values that are rounded to a type before anything reads them.
  std::map<std::string, DType> rounded;
};

// Infers every value, computes what depends on constants alone, and leaves out what no output
// needs. Errors: OPK-EXPORT-001 dims that depend on data; those of inference and evaluation.
Status complete(ExportedProgram& program);

}  // namespace opkit::model_export

#endif  // OPKIT_MODEL_EXPORT_PROGRAM_H_
