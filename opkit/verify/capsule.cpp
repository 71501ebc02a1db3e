#include "opkit/verify/capsule.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "opkit/verify/judge.h"

namespace opkit::verify {
namespace {

using Json = nlohmann::ordered_json;
constexpr const char* kFormat = "opkit-capsule/1";

struct Field {
  const char* name;
  std::string Capsule::*value;
};

constexpr Field kFields[] = {{"op", &Capsule::op},
                             {"version", &Capsule::version},
                             {"plugin_sha256", &Capsule::plugin_digest},
                             {"problem", &Capsule::line},
                             {"verdict", &Capsule::verdict},
                             {"reason", &Capsule::reason},
                             {"code", &Capsule::code},
                             {"inputs_sha256", &Capsule::input_digest},
                             {"outputs_sha256", &Capsule::output_digest},
                             {"contract", &Capsule::contract}};

Error bad(std::string message) {
  return Error("OPK-VERIFY-041", "this is no failure capsule: " + std::move(message),
               "give a file that opkit test --results wrote");
}

}  // namespace

Capsule make_capsule(const OpContract& contract, const std::string& plugin_digest,
                     const ProblemResult& failure) {
  Capsule capsule;
  capsule.op = contract.op;
  capsule.version = contract.version;
  capsule.contract = contract.text;
  capsule.plugin_digest = plugin_digest;
  capsule.line = failure.line;
  capsule.verdict = name_of(failure.verdict);
  capsule.reason = failure.reason;
  capsule.code = failure.code;
  capsule.input_digest = failure.input_digest;
  capsule.output_digest = failure.output_digest;
  return capsule;
}

std::string to_json(const Capsule& capsule) {
  Json json{{"format", kFormat}};
  for (const Field& field : kFields) json[field.name] = capsule.*field.value;
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<Capsule> read_capsule(std::string_view text) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) return bad("it is no JSON object");
  const auto format = json.find("format");
  if (format == json.end() || *format != kFormat)
    return bad(fmt::format("its format is not {}", kFormat));
  Capsule capsule;
  for (const Field& field : kFields) {
    const auto found = json.find(field.name);
    if (found == json.end() || !found->is_string())
      return bad(fmt::format("it has no text '{}'", field.name));
    capsule.*field.value = found->get<std::string>();
  }
  return capsule;
}

Result<Replay> replay(const Capsule& capsule, Executor& executor) {
  OPKIT_TRY(const OpContract contract, OpContract::parse(capsule.contract, "capsule"));
  OPKIT_TRY(const Problem problem, parse_line(contract, capsule.line));
  Replay replay;
  replay.result = judge(contract, executor, problem);
  replay.same_plugin = executor.digest() == capsule.plugin_digest;
  replay.same_inputs = replay.result.input_digest == capsule.input_digest;
  replay.same_outputs = replay.result.output_digest == capsule.output_digest;
  replay.same_verdict = name_of(replay.result.verdict) == capsule.verdict;
  return replay;
}

std::string Replay::to_string() const {
  std::string text = fmt::format("{} {}\n", name_of(result.verdict), result.line);
  if (!result.reason.empty()) text += fmt::format("  {}\n", result.reason);
  if (!same_inputs) text += "  the inputs differ: another opkit generated them\n";
  if (!same_plugin) text += "  the library is not the one that failed\n";
  text += same_outputs ? "  the outputs have the same bits\n" : "  the outputs have other bits\n";
  text += same_verdict ? "  the verdict is the same\n" : "  the verdict has changed\n";
  return text;
}

}  // namespace opkit::verify
