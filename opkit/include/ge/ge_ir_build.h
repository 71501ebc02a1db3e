// Offline models of graphs that a program builds: libge_compiler.so, which is libopkit_ge.so here.
#ifndef OPKIT_INCLUDE_GE_GE_IR_BUILD_H_
#define OPKIT_INCLUDE_GE_GE_IR_BUILD_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "ge/ge_api_types.h"
#include "graph/ascend_string.h"
#include "graph/ge_error_codes.h"
#include "graph/graph.h"

#define OPKIT_GE_CALL __attribute__((visibility("default")))

namespace ge {

// An offline model in memory.
struct ModelBufferData {
  std::shared_ptr<uint8_t> data = nullptr;
  uint64_t length = 0;
};

// What all models of the process have in common, the chip above all. Once before the first model.
OPKIT_GE_CALL graphStatus
aclgrphBuildInitialize(std::map<AscendString, AscendString> global_options);
OPKIT_GE_CALL graphStatus aclgrphBuildInitialize(std::map<std::string, std::string> global_options);
OPKIT_GE_CALL void aclgrphBuildFinalize();

// The options of the model win over those of the process. GRAPH_PARAM_INVALID: the graph or an
// option cannot be used; GRAPH_FAILED: it cannot be compiled. GEGetErrorMsgV2 says why.
OPKIT_GE_CALL graphStatus
aclgrphBuildModel(const Graph& graph, const std::map<AscendString, AscendString>& build_options,
                  ModelBufferData& model);
OPKIT_GE_CALL graphStatus aclgrphBuildModel(const Graph& graph,
                                            const std::map<std::string, std::string>& build_options,
                                            ModelBufferData& model);

// Writes <output_file>.om.
OPKIT_GE_CALL graphStatus aclgrphSaveModel(const char* output_file, const ModelBufferData& model);
OPKIT_GE_CALL graphStatus aclgrphSaveModel(const std::string& output_file,
                                           const ModelBufferData& model);

// Returns the text of the thread's last error; empty after it was asked for.
OPKIT_GE_CALL AscendString GEGetErrorMsgV2();
OPKIT_GE_CALL std::string GEGetErrorMsg();

}  // namespace ge

#endif  // OPKIT_INCLUDE_GE_GE_IR_BUILD_H_
