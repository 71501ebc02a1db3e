#include "opkit/cli/tuning/shard_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "opkit/base/document.h"
#include "opkit/base/file.h"

namespace opkit::cli {

namespace fs = std::filesystem;

Error no_fit(const std::string& file, const std::string& what) {
  return Error("OPK-TUNE-013", fmt::format("{}: {}", file, what),
               "give the files of all shards of one command, each once");
}

Result<Shard> read_shard(const std::string& text) {
  const size_t slash = text.find('/');
  const auto number = [](const std::string& word) -> size_t {
    const bool digits =
        !word.empty() && word.size() < 7 &&
        std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
    return digits ? std::stoul(word) : 0;
  };
  Shard shard{0, 0};
  if (slash != std::string::npos)
    shard = {number(text.substr(0, slash)), number(text.substr(slash + 1))};
  if (shard.i >= 1 && shard.i <= shard.n) return shard;
  return Error("OPK-TUNE-014", fmt::format("--shard {}: a shard is i/n with i from 1 to n", text),
               "--shard 1/8");
}

ShardFile::ShardFile(Shard shard, const std::vector<TuneJob>& jobs)
    : head_(Json::object()), results_(Json::array()) {
  Json digests = Json::array();
  for (const TuneJob& job : jobs) digests.push_back(job.digest);
  head_["shard"] = shard.i;
  head_["shards"] = shard.n;
  head_["jobs"] = std::move(digests);
}

Result<JobFate> read_fate(const Value& result, const std::string& file) {
  JobFate fate;
  const Value *bank = result.find("bank"), *error = result.find("error");
  if (bank != nullptr) {
    OPKIT_TRY(fate.bank, bank_from(*bank, file));
    if (fate.bank->entries.size() != 1)
      return no_fit(file, fmt::format("a result has {} entries", fate.bank->entries.size()));
  } else if (error != nullptr && error->is_map()) {
    const Value *code = error->find("code"), *message = error->find("message");
    if (code == nullptr || message == nullptr) return no_fit(file, "a failure has no code");
    fate.error = Error(code->text, message->text);
    if (const Value* op = error->find("op")) fate.error->op = op->text;
    if (const Value* action = error->find("action")) fate.error->action = action->text;
  } else if (result.find("none") == nullptr) {
    return no_fit(file, "a result has no bank, no error and is not without a winner");
  }
  return fate;
}

Json fate_json(const tuning::Tuned& tuned) {
  if (!tuned.winner) return {{"none", true}};
  return {{"bank", tuning::bank_json(tuned.bank())}};
}

Json fate_json(const Error& error) {
  return {{"error",
           {{"code", error.code},
            {"message", error.message},
            {"op", error.op},
            {"action", error.action}}}};
}

void ShardFile::add(const TuneJob& job, const Json& fate) {
  Json result = fate;
  result["job"] = job.digest;
  results_.push_back(std::move(result));
}

Status ShardFile::write(const fs::path& file) const {
  Json all = head_;
  all["results"] = results_;
  return write_file(file, all.dump(1) + "\n");
}

Result<ReadShard> read_shard_file(const std::string& file) {
  OPKIT_TRY(const Document document, Document::load(file));
  const Value& root = document.root();
  if (!root.is_map()) return no_fit(file, "it is no file of a shard");
  const Value *jobs = root.find("jobs"), *results = root.find("results"), *i = root.find("shard"),
              *n = root.find("shards");
  if (jobs == nullptr || results == nullptr || i == nullptr || n == nullptr || !jobs->is_list() ||
      !results->is_list())
    return no_fit(file, "it is no file of a shard");
  ReadShard shard{file, {}, 0, 0, {}};
  OPKIT_TRY(shard.i, i->as_int("shard"));
  OPKIT_TRY(shard.n, n->as_int("shards"));
  for (const Value& job : jobs->items) shard.jobs.push_back(job.text);
  for (const Value& result : results->items) {
    const Value* job = result.is_map() ? result.find("job") : nullptr;
    if (job == nullptr) return no_fit(file, "a result has no job");
    OPKIT_TRY(shard.results[job->text], read_fate(result, file));
  }
  return shard;
}

}  // namespace opkit::cli
