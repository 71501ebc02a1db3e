#include "opkit/atc/compile/control_bodies.h"

#include <fmt/format.h>

#include <algorithm>

#include "opkit/graph/bodies.h"
#include "opkit/graph/node_name.h"
#include "opkit/model/file/gears.h"
#include "opkit/reference/control.h"
#include "opkit/reference/infer.h"
#include "opkit/reference/unfit.h"

namespace opkit::compile {
namespace {

using graph::Graph;
using graph::Node;

constexpr uint64_t kMostOfTrips = uint64_t{1} << 56;

}  // namespace

Result<std::vector<OpenBody>> open_bodies(const Graph& graph) {
  std::vector<OpenBody> bodies;
  for (size_t n = 0; n < graph.nodes.size(); ++n) {
    const Node& node = graph.nodes[n];
    for (const std::string& attribute : graph::bodies_of(node.op_type)) {
      const reference::KnownOperands operands = reference::known_operands(graph, node);
      OpenBody body{n, attribute, {}, {}, {}};
      OPKIT_TRY(body.graph, reference::bound_body(node, attribute, operands));
      body.unfit = reference::why_unfit(node, attribute, operands, reference::infer_outputs);
      if (body.unfit) {
        OPKIT_TRY(body.graph, reference::refusing_body(node, attribute, body.graph, operands,
                                                       reference::infer_outputs, *body.unfit));
      }
      OPKIT_TRY(body.trips, reference::known_trips(node, operands, reference::infer_outputs));
      bodies.push_back(std::move(body));
    }
  }
  return bodies;
}

uint64_t of_all_trips(uint64_t once, const std::optional<int64_t>& trips) {
  uint64_t all = 0;
  const bool fits = !__builtin_mul_overflow(once, static_cast<uint64_t>(trips.value_or(1)), &all);
  return fits ? std::min(all, kMostOfTrips) : kMostOfTrips;
}

std::string body_title(const Node& node, const std::string& attribute) {
  return fmt::format("{} of {} {}", attribute == "body" ? "body" : attribute, node.op_type,
                     graph::name_of(node));
}

void join_bodies(std::vector<model::OfflineModel> bodies, const std::vector<size_t>& nodes,
                 Schedule& schedule) {
  if (bodies.empty()) return;
  model::GearJoin join(model::GearKind::kNone);
  join.add({}, std::move(schedule.model));
  for (size_t b = 0; b < bodies.size(); ++b)
    join.add_body(schedule.control.at(nodes[b]), std::move(bodies[b]));
  schedule.model = join.take();
}

}  // namespace opkit::compile
