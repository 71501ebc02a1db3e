// Models as the JSON of atc --mode=1 (docs/om.md), with the names that the vendor's pages show.
#ifndef OPKIT_CLI_MODELS_OM_GRAPH_JSON_H_
#define OPKIT_CLI_MODELS_OM_GRAPH_JSON_H_

#include "opkit/base/json.h"
#include "opkit/model/file/offline_model.h"

namespace opkit::cli {

// Returns the steps of each gear's plan as operators. Error: OPK-LAYOUT- a format that cannot store
// a tensor's dims.
Result<Json> om_graph_json(const model::OfflineModel& model);
// Returns a model that was imported.
Json model_graph_json(const graph::Graph& graph);

}  // namespace opkit::cli

#endif  // OPKIT_CLI_MODELS_OM_GRAPH_JSON_H_
