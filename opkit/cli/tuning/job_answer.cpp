#include "opkit/cli/tuning/job_answer.h"

#include <nlohmann/json.hpp>

#include "opkit/base/document.h"

namespace opkit::cli {
namespace {

using Parsed = nlohmann::ordered_json;

// Converts what another process has written.
Json json_of(const Parsed& parsed) {
  if (parsed.is_object()) {
    Json object = Json::object();
    for (const auto& [name, value] : parsed.items()) object[name] = json_of(value);
    return object;
  }
  if (parsed.is_array()) {
    Json array = Json::array();
    for (const Parsed& item : parsed) array.push_back(json_of(item));
    return array;
  }
  if (parsed.is_string()) return parsed.get<std::string>();
  if (parsed.is_boolean()) return parsed.get<bool>();
  if (parsed.is_number_unsigned()) return parsed.get<uint64_t>();
  if (parsed.is_number_integer()) return parsed.get<int64_t>();
  if (parsed.is_number_float()) return parsed.get<double>();
  return {};
}

std::string text_at(const Parsed& all, const char* name) {
  const auto found = all.find(name);
  return found != all.end() && found->is_string() ? found->get<std::string>() : std::string();
}

}  // namespace

JobAnswer answer_of(const Result<JobResult>& result, const Arguments& arguments) {
  if (!result.ok()) return {fate_json(result.error()), "", "", Json(), ""};
  const tuning::Tuned& tuned = result->tuned;
  return {fate_json(tuned), result->bank.string(), tuning::tuned_text(tuned),
          tuning::tuned_json(tuned, arguments.has("--everything")),
          arguments.has("--report") ? tuning::report_section(tuned) : ""};
}

std::string message_of(const JobAnswer& answer) {
  const Json all{{"fate", answer.fate},
                 {"bank", answer.bank},
                 {"text", answer.text},
                 {"call", answer.call},
                 {"section", answer.section}};
  return all.dump(0);
}

Result<JobAnswer> read_answer(const std::string& message) {
  const Parsed all = Parsed::parse(message, nullptr, false);
  if (!all.is_object() || !all.contains("fate") || !all.contains("call"))
    return no_fit("a job's answer", "it cannot be read");
  return JobAnswer{json_of(all["fate"]), text_at(all, "bank"), text_at(all, "text"),
                   json_of(all["call"]), text_at(all, "section")};
}

Result<JobFate> fate_of(const JobAnswer& answer) {
  OPKIT_TRY(const Document document, Document::parse(answer.fate.dump(0), "a job's answer"));
  return read_fate(document.root(), "a job's answer");
}

}  // namespace opkit::cli
