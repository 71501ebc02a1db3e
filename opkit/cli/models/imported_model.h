// The ONNX model that a command line names, with the shapes that it states.
#ifndef OPKIT_CLI_MODELS_IMPORTED_MODEL_H_
#define OPKIT_CLI_MODELS_IMPORTED_MODEL_H_

#include <map>
#include <string>

#include "opkit/base/shape.h"
#include "opkit/call/execute/installed_ops.h"
#include "opkit/cli/options/arguments.h"
#include "opkit/graph/graph.h"

namespace opkit::cli {

// Errors: those of the import; of shapes that do not fit the model with --input_shape.
Result<graph::Graph> imported_model(const std::string& file,
                                    const std::map<std::string, Shape>& shapes,
                                    const Arguments& arguments);
// Imports the model with one shape of every input, as --input_shape states it.
Result<graph::Graph> imported_model(const std::string& file, const Arguments& arguments);

// Imports with nodes that name installed ops, as compile::take_installed_nodes takes them.
Result<graph::Graph> imported_model(const std::string& file,
                                    const std::map<std::string, Shape>& shapes,
                                    const Arguments& arguments, const InstalledOps& ops,
                                    const std::string& soc);

}  // namespace opkit::cli

#endif  // OPKIT_CLI_MODELS_IMPORTED_MODEL_H_
