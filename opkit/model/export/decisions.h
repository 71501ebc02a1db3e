// Says what becomes of each call of a model, so that chips and the processor can be compared.
#ifndef OPKIT_MODEL_EXPORT_DECISIONS_H_
#define OPKIT_MODEL_EXPORT_DECISIONS_H_

#include <map>
#include <string>
#include <vector>

#include "opkit/base/status.h"
#include "opkit/model/export/program.h"
#include "opkit/model/file/offline_model.h"

namespace opkit::model_export {

// A call of the chip, and what the processor does for it.
struct Decision {
  std::string nodes;  // names nodes of the model, joined by +
  std::string op;     // that the chip's cover chose
  // "conv+add+relu", a step on oneDNN; "loop of Gather"; "in the step of Conv_0", of another call.
  std::vector<std::string> steps;
};

// REQUIRES: the program is complete.
std::vector<Decision> decisions_of(const ExportedProgram& program);

// Returns the op that took each node, in a model of the same network for another chip.
std::map<std::string, std::string> ops_by_node(const model::OfflineModel& model);

// Checks that the model of `ops_by_node` has a node of the program's. `file`: its name for the
// message. Error: OPK-EXPORT-004.
Status check_beside(const std::vector<Decision>& decisions,
                    const std::map<std::string, std::string>& ops_by_node, const std::string& file);

// Returns the ops that took these nodes there, each once; "-": the model has none of the nodes.
std::string ops_of(const std::map<std::string, std::string>& ops_by_node, const std::string& nodes);

}  // namespace opkit::model_export

#endif  // OPKIT_MODEL_EXPORT_DECISIONS_H_
