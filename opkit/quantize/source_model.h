// An ONNX model as it is evaluated here: its file's bytes, and the graph at the dims of the data.
#ifndef OPKIT_QUANTIZE_SOURCE_MODEL_H_
#define OPKIT_QUANTIZE_SOURCE_MODEL_H_

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "opkit/quantize/samples.h"
#include "opkit/rewrite/onnx/edit_model.h"

namespace opkit::quantize {

struct SourceModel {
  std::string bytes;
  std::vector<onnx_frontend::FileInput> inputs;
  graph::Graph graph;  // inferred

  std::vector<std::string> input_names() const;
  std::vector<Wanted> wanted() const;  // REQUIRES: graph
};

// Reads the file, without the graph. Errors: those of reading.
Result<SourceModel> open_model(const std::filesystem::path& file);

// Takes the graph, in version `least` of the operators or a newer one. Dims that the file leaves
// open come from `shapes`, else from the data, which may be absent. Errors: those of the import and
// of the conversion; OPK-QUANT-002 dims that nothing says.
Status take_graph(const std::map<std::string, Shape>& shapes, const Samples* samples, int least,
                  SourceModel& model);

}  // namespace opkit::quantize

#endif  // OPKIT_QUANTIZE_SOURCE_MODEL_H_
