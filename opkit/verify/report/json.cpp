
#include "opkit/base/json.h"
#include "opkit/isolation/open_op.h"
#include "opkit/verify/test_run.h"

namespace opkit::verify {
namespace {

// JSON has no NaN and no infinities: they become strings.
Json number(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

Json to_json(const oracle::WrongElement& wrong) {
  return {
      {"index", wrong.index},   {"got", number(wrong.got)}, {"expected", number(wrong.expected)},
      {"lo", number(wrong.lo)}, {"hi", number(wrong.hi)},   {"ulps", number(wrong.ulps)}};
}

Json to_json(const oracle::Comparison& comparison) {
  Json json{{"output", comparison.output},
            {"elements", comparison.elements},
            {"wrong", comparison.wrong},
            {"unbounded", comparison.unbounded},
            {"max_ulps", number(comparison.max_ulps)},
            {"bias_ulps", number(comparison.bias)},
            {"tolerance_share", number(comparison.tolerance_share)},
            {"histogram_ulps", comparison.histogram},
            {"bound_used_tenths", comparison.bound_used},
            {"manual_tolerance", comparison.manual_tolerance},
            {"trivial", comparison.trivial}};
  json["vendor"] = {{"passes", comparison.vendor.passes},
                    {"mere", number(comparison.vendor.mere)},
                    {"mare", number(comparison.vendor.mare)},
                    {"threshold", comparison.vendor.threshold}};
  json["worst"] = Json::array();
  for (const oracle::WrongElement& wrong : comparison.worst)
    json["worst"].push_back(to_json(wrong));
  return json;
}

Json to_json(const ProblemResult& result) {
  Json json{{"line", result.line},
            {"origin", result.origin},
            {"verdict", name_of(result.verdict)},
            {"reason", result.reason},
            {"code", result.code},
            {"shapes", result.shapes},
            {"tiling_key", result.tiling_key},
            {"block_dim", result.block_dim},
            {"labels", result.labels}};
  json["outputs"] = Json::array();
  for (const oracle::Comparison& comparison : result.outputs)
    json["outputs"].push_back(to_json(comparison));
  return json;
}

Json to_json(const TilingProof& proof) {
  Json json{{"socs", proof.socs},
            {"calls", proof.calls},
            {"wrong", proof.wrong},
            {"whole_domain", proof.whole_domain},
            {"large_calls", proof.large},
            {"checked", proof.checked},
            {"most_elements", proof.most_elements},
            {"largest", proof.largest_line},
            {"not_judged", proof.not_judged},
            {"notes", proof.notes}};
  json["memory"] = Json::array();
  for (const MemoryUse& use : proof.memory)
    json["memory"].push_back({{"soc", use.soc},
                              {"memory", use.memory},
                              {"peak", use.peak},
                              {"capacity", use.capacity},
                              {"line", use.line}});
  json["keys"] = Json::array();
  for (const auto& [key, problem] : proof.keys) json["keys"].push_back(key);
  return json;
}

Json to_json(const Accuracy& accuracy) {
  return {{"max_ulps", number(accuracy.worst)},
          {"mean_ulps", number(accuracy.mean())},
          {"elements", accuracy.elements},
          {"inf_or_nan_differ", accuracy.differing}};
}

Json to_json(const UnfusedReport& report) {
  Json json;
  json["nodes"] = Json::array();
  for (const auto& [node, plugin] : report.nodes)
    json["nodes"].push_back({{"node", node}, {"plugin", plugin.empty() ? Json() : Json(plugin)}});
  json["rows"] = Json::array();
  for (const UnfusedRow& row : report.rows)
    json["rows"].push_back({{"column", row.column},
                            {"data", row.data},
                            {"fused", to_json(row.fused)},
                            {"unfused", to_json(row.unfused)},
                            {"skipped", row.skipped}});
  return json;
}

Json to_json(const Failure& failure) {
  Json json{{"found", to_json(failure.found)},
            {"smallest", to_json(failure.smallest)},
            {"trace", failure.trace},
            {"capsule", failure.capsule.string()},
            {"reproduce", reproducing_line(failure)}};
  json["inputs"] = Json::array();
  for (const InputPart& part : failure.inputs) json["inputs"].push_back(as_json(part));
  json["tiling"] = failure.tiling ? as_json(*failure.tiling) : Json();
  return json;
}

}  // namespace

Json report_summary(const TestReport& report) {
  Json json{{"op", report.op},
            {"version", report.version},
            {"contract_digest", report.contract_digest},
            {"plugin_digest", report.plugin_digest},
            {"tier", name_of(report.tier)},
            {"socs", report.socs},
            {"column", report.column ? Json(report.column_name) : Json()},
            {"verdict", report.interrupted ? Json() : Json(name_of(report.verdict))},
            {"reason", report.reason},
            {"interrupted", report.interrupted},
            {"planned", report.planned},
            {"not_run", report.not_run},
            {"seconds", report.seconds},
            {"resumed", report.resumed},
            {"notes", report.notes}};
  for (const auto& [verdict, count] : report.counts)
    json["counts"][std::string(name_of(verdict))] = count;
  json["coverage"] = {{"labels", report.coverage.labels}, {"missing", report.coverage.missing}};
  if (!report.unfused.nodes.empty()) json["unfused"] = to_json(report.unfused);
  if (report.tiling.asked) json["tiling"] = to_json(report.tiling);
  json["failures"] = Json::array();
  for (const Failure& failure : report.failures) json["failures"].push_back(to_json(failure));
  return json;
}

std::string report_json(const TestReport& report) {
  Json json = report_summary(report);
  json["results"] = Json::array();
  for (const ProblemResult& result : report.results) json["results"].push_back(to_json(result));
  if (report.lacks) json["confinement"] = confinement_json(*report.lacks);
  return json.dump(2) + "\n";
}

}  // namespace opkit::verify
