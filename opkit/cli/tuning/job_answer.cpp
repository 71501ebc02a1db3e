#include "opkit/cli/tuning/job_answer.h"

#include "opkit/base/document.h"

namespace opkit::cli {
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
  const Json all = Json::parse(message).value_or(Json());
  if (!all.is_object() || !all.contains("fate") || !all.contains("call"))
    return no_fit("a job's answer", "it cannot be read");
  return JobAnswer{all["fate"], all["bank"].text_or(""), all["text"].text_or(""), all["call"],
                   all["section"].text_or("")};
}

Result<JobFate> fate_of(const JobAnswer& answer) {
  OPKIT_TRY(const Document document, Document::parse(answer.fate.dump(0), "a job's answer"));
  return read_fate(document.root(), "a job's answer");
}

}  // namespace opkit::cli
