#include <fmt/format.h>

#include <set>

#include "opkit/atc/compile/control_bodies.h"
#include "opkit/atc/compile/report.h"
#include "opkit/base/json.h"
#include "opkit/call/execute/generated_ops.h"
#include "opkit/graph/node_name.h"

namespace opkit::compile {
namespace {

std::string cost_text(const Candidate& candidate) {
  if (candidate.on_aicpu()) return "on the AICPU, no modelled cost";
  if (candidate.taker == Taker::kHost) return "no modelled cost";
  if (candidate.taker == Taker::kControl) return "the time of its bodies";
  const std::string why =
      candidate.kind == CostKind::kAssumed ? " because of " + candidate.not_modelled : "";
  return fmt::format("{:.2f} us, {}{}", static_cast<double>(candidate.nanoseconds) / 1e3,
                     name_of(candidate.kind), why);
}

// Who has something to say of a node.
struct Voices {
  std::vector<const Candidate*> rivals;  // could have taken it; the one that did is none
  std::vector<const Declined*> declined;
};

std::vector<Voices> voices_of(const Compiled& compiled, const std::vector<size_t>& takers) {
  std::vector<Voices> voices(compiled.graph.nodes.size());
  for (size_t c = 0; c < compiled.candidates.all.size(); ++c) {
    const Candidate& candidate = compiled.candidates.all[c];
    for (const size_t n : candidate.nodes) {
      if (c != takers[n]) voices[n].rivals.push_back(&candidate);
    }
  }
  for (const Declined& declined : compiled.candidates.declined)
    voices[declined.node].declined.push_back(&declined);
  return voices;
}

// What was chosen for the nodes of an op that stood back.
struct Chosen {
  uint64_t nanoseconds = 0;
  size_t more = 0;        // nodes that the chosen ones take besides
  bool off_chip = false;  // one of them has no modelled time
};

Chosen chosen_instead(const Compiled& compiled, const std::vector<size_t>& takers,
                      const Candidate& rival) {
  std::set<size_t> instead;
  for (const size_t n : rival.nodes) instead.insert(takers[n]);
  Chosen chosen;
  size_t nodes = 0;
  for (const size_t c : instead) {
    const Candidate& candidate = compiled.candidates.all[c];
    chosen.nanoseconds += candidate.nanoseconds;
    chosen.off_chip |= candidate.off_chip();
    nodes += candidate.nodes.size();
  }
  chosen.more = nodes - rival.nodes.size();
  return chosen;
}

// Returns why a fused op that fits was not chosen.
std::string instead_text(const Compiled& compiled, const std::vector<size_t>& takers,
                         const Candidate& rival) {
  if (!rival.is_fused()) return "";
  const Chosen chosen = chosen_instead(compiled, takers, rival);
  if (chosen.off_chip) return "";
  const std::string besides = chosen.more == 0 ? "" : fmt::format(" and {} more", chosen.more);
  return fmt::format(": what takes its nodes{} costs {:.2f} us", besides,
                     static_cast<double>(chosen.nanoseconds) / 1e3);
}

std::string nodes_text(const Candidate& candidate) {
  return candidate.nodes.size() == 1 ? "1 node" : fmt::format("{} nodes", candidate.nodes.size());
}

}  // namespace

std::string explain_text(const Compiled& compiled) {
  const std::vector<size_t> takers = compiled.takers();
  const std::vector<Voices> voices = voices_of(compiled, takers);
  std::string text;
  for (size_t n = 0; n < compiled.graph.nodes.size(); ++n) {
    const graph::Node& node = compiled.graph.nodes[n];
    const Candidate& taker = compiled.candidates.all[takers[n]];
    text += fmt::format("{} ({}): {} ({}, {})\n", graph::name_of(node), node.op_type, taker.name(),
                        nodes_text(taker), cost_text(taker));
    for (const Candidate* rival : voices[n].rivals)
      text += fmt::format("  could be {} ({}, {}){}\n", rival->name(), nodes_text(*rival),
                          cost_text(*rival), instead_text(compiled, takers, *rival));
    for (const Declined* declined : voices[n].declined)
      text += fmt::format("  {} declines: {}: {}\n", declined->op,
                          match::name_of(declined->refusal.guard), declined->refusal.reason);
  }
  for (const CompiledBody& body : compiled.bodies)
    text +=
        fmt::format("in the {}:\n", body_title(compiled.graph.nodes[body.node], body.attribute)) +
        explain_text(*body.compiled);
  return text;
}

namespace {

// Adds the nodes of a body, which `body` names; null: the nodes of the model itself.
void add_nodes(const Compiled& compiled, const Json& body, Json& nodes) {
  const std::vector<size_t> takers = compiled.takers();
  const std::vector<Voices> voices = voices_of(compiled, takers);
  const auto to_json = [](const Candidate& candidate) {
    Json json{{"by", candidate.name()},
              {"nodes", candidate.nodes.size()},
              {"ns", candidate.off_chip() ? Json() : Json(candidate.nanoseconds)},
              {"on_aicpu", candidate.on_aicpu()},
              {"cost", name_of(candidate.kind)}};
    if (candidate.kind == CostKind::kAssumed) json["not_modelled"] = candidate.not_modelled;
    return json;
  };
  for (size_t n = 0; n < compiled.graph.nodes.size(); ++n) {
    const graph::Node& node = compiled.graph.nodes[n];
    Json one{{"node", graph::name_of(node)},
             {"op", node.op_type},
             {"taken", to_json(compiled.candidates.all[takers[n]])},
             {"rivals", Json::array()},
             {"declined", Json::array()}};
    if (!body.is_null()) one["body"] = body;
    for (const Candidate* rival : voices[n].rivals) {
      one["rivals"].push_back(to_json(*rival));
      const Chosen chosen = chosen_instead(compiled, takers, *rival);
      if (!chosen.off_chip) one["rivals"].back()["instead_ns"] = chosen.nanoseconds;
      one["rivals"].back()["instead_more_nodes"] = chosen.more;
    }
    for (const Declined* declined : voices[n].declined)
      one["declined"].push_back({{"op", declined->op},
                                 {"guard", match::name_of(declined->refusal.guard)},
                                 {"reason", declined->refusal.reason}});
    nodes.push_back(std::move(one));
  }
  for (const CompiledBody& inner : compiled.bodies)
    add_nodes(*inner.compiled, body_title(compiled.graph.nodes[inner.node], inner.attribute),
              nodes);
}

}  // namespace

Json explain_json(const Compiled& compiled) {
  Json nodes = Json::array();
  add_nodes(compiled, nullptr, nodes);
  return nodes;
}

namespace {

using Times = std::map<std::string, std::pair<size_t, size_t>>;  // matched, chosen

void count_fusions(const Compiled& compiled, Times& installed, Times& generated) {
  const std::set<size_t> chosen(compiled.cover.chosen.begin(), compiled.cover.chosen.end());
  for (size_t c = 0; c < compiled.candidates.all.size(); ++c) {
    const Candidate& candidate = compiled.candidates.all[c];
    if (!candidate.is_fused()) continue;
    const bool chain = candidate.op->package().manifest.vendor == kGeneratedVendor;
    auto& count = (chain ? generated : installed)[candidate.name()];
    ++count.first;
    count.second += chosen.count(c);
  }
  for (const CompiledBody& body : compiled.bodies)
    count_fusions(*body.compiled, installed, generated);
}

}  // namespace

Json fusion_result(const Compiled& compiled) {
  Times installed, generated;
  count_fusions(compiled, installed, generated);
  const auto to_json = [](const Times& times) {
    Json fusions = Json::object();
    for (const auto& [op, count] : times)
      fusions[op] = {{"match_times", std::to_string(count.first)},
                     {"effect_times", std::to_string(count.second)}};
    return fusions;
  };
  return Json::array({{{"session_and_graph_id", "0_0"},
                       {"graph_fusion", to_json(installed)},
                       {"ub_fusion", to_json(generated)}}});
}

}  // namespace opkit::compile
