#include "opkit/isolation/incident.h"

namespace opkit::isolation {

std::string_view name_of(Phase phase) {
  switch (phase) {
    case Phase::kLoading: return "loading the library (a static initialiser)";
    case Phase::kQuery: return "the query function";
    case Phase::kInferShape: return "the InferShape function";
    case Phase::kInferDtype: return "the InferDataType function";
    case Phase::kTiling: return "the tiling function";
    case Phase::kKernel: return "the kernel";
    case Phase::kUnloading: return "unloading the library (a static destructor)";
    case Phase::kBetween: return "the plugin, between two calls,";
    case Phase::kStarting: return "the start of the worker";
    default: return "the plugin";
  }
}

}  // namespace opkit::isolation
