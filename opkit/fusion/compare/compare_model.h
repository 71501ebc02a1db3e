// A model's fused ops beside the separate ops that take the same nodes of it.
#ifndef OPKIT_FUSION_COMPARE_COMPARE_MODEL_H_
#define OPKIT_FUSION_COMPARE_COMPARE_MODEL_H_

#include <functional>
#include <string>
#include <vector>

#include "opkit/atc/compile/compile.h"
#include "opkit/fusion/compare/launch.h"

namespace opkit::compare {

// A place where a fused op may stand. Turning of formats is in the times of models alone.
struct FusedPlace {
  std::string op, nodes;
  bool chosen = false;  // says whether the cover takes the fused op
  ModelledLaunch fused;
  std::vector<ModelledLaunch> separate;
  std::vector<std::string> on_host;  // operators of it that no op of one node takes: not modelled

  uint64_t separate_ns() const;
  uint64_t separate_bytes() const;
  bool is_slower() const { return on_host.empty() && fused.ns > separate_ns(); }
  // Returns what keeps the fused op, in one sentence, and what to do about it.
  std::string bottleneck() const;
  std::string advice() const;
};

struct ComparedCover {
  uint64_t ns = 0, bytes = 0;
  size_t kernels = 0, turns = 0, on_host = 0;
};

struct FusedModelComparison {
  std::string model, soc;
  bool measured_chip = false;
  std::vector<Error> wrong;  // OPK-PROOF-001 to -003: nothing else counts until these are mended
  std::string compared;      // how both covers were compared on data, where they agree
  ComparedCover fused, plain;
  std::vector<FusedPlace> places;  // those that lose most first, then those that gain most
};

struct ModelCompareOptions {
  compile::Options compilation;
  std::function<void(const std::string& what)> step = [](const std::string&) {};
};

// Compiles the model twice, with every installed op and with those of one node alone; compares both
// on data; models every fused op that a place of the model fits, chosen or not, and what takes the
// same nodes in the other cover. Errors: those of compilation; OPK-COMPARE-002 no installed op of
// several nodes fits any place.
Result<FusedModelComparison> compare_model(const graph::Graph& graph, const InstalledOps& ops,
                                           const ModelCompareOptions& options);

}  // namespace opkit::compare

#endif  // OPKIT_FUSION_COMPARE_COMPARE_MODEL_H_
