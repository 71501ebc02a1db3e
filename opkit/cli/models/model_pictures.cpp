#include "opkit/cli/models/model_pictures.h"

#include "opkit/atc/compile/report.h"
#include "opkit/rewrite/onnx/export_graph.h"

namespace opkit::cli {
namespace {

// Returns what was chosen for the nodes of the canonical graph.
std::vector<onnx_frontend::FusedRegion> regions_of(const compile::Compiled& compiled) {
  std::vector<onnx_frontend::FusedRegion> regions;
  for (const size_t c : compiled.cover.chosen) {
    const compile::Candidate& candidate = compiled.candidates.all[c];
    onnx_frontend::FusedRegion region{candidate.name(), candidate.nodes, {}};
    if (candidate.taker == compile::Taker::kPlugin && !candidate.off_chip()) {
      region.notes["us"] = static_cast<double>(candidate.nanoseconds) / 1e3;
      region.notes["cost"] = std::string(name_of(candidate.kind));
    }
    regions.push_back(std::move(region));
  }
  return regions;
}

}  // namespace

Status draw_pictures(const compile::Compiled& compiled, const std::string& prefix,
                     std::map<std::filesystem::path, std::string>& pictures) {
  pictures[prefix + "_before.dot"] = compile::picture_before(compiled);
  pictures[prefix + "_after.dot"] = compile::picture_after(compiled);
  pictures[prefix + "_before.svg"] = compile::svg_before(compiled);
  pictures[prefix + "_after.svg"] = compile::svg_after(compiled);
  OPKIT_TRY(pictures[prefix + "_before.onnx"], onnx_frontend::onnx_file(compiled.before, {}));
  OPKIT_TRY(pictures[prefix + "_after.onnx"],
            onnx_frontend::onnx_file(compiled.graph, regions_of(compiled)));
  return {};
}

}  // namespace opkit::cli
