#include "opkit/atc/compile/compiled.h"

#include "opkit/atc/compile/control_bodies.h"

namespace opkit::compile {

std::vector<size_t> Compiled::takers() const {
  std::vector<size_t> takers(graph.nodes.size());
  for (const size_t c : cover.chosen) {
    for (const size_t node : candidates.all[c].nodes) takers[node] = c;
  }
  return takers;
}

uint64_t Compiled::nanoseconds() const {
  uint64_t sum = 0;
  for (const model::Step& step : model().steps) sum += step.nanoseconds;
  return sum;
}

uint64_t Compiled::traffic() const {
  uint64_t sum = 0;
  for (const CompiledBody& body : bodies) sum += of_all_trips(body.compiled->traffic(), body.trips);
  const auto add = [&](const std::vector<std::vector<uint32_t>>& ports) {
    for (const auto& port : ports) {
      for (const uint32_t t : port) sum += model().tensors[t].bytes;
    }
  };
  for (const model::Step& step : model().steps) {
    if (step.kind != model::StepKind::kKernel) continue;
    add(step.in);
    add(step.out);
  }
  return sum;
}

}  // namespace opkit::compile
