// opkit tune: the best tilings of an op's calls.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>

#include "opkit/base/digest.h"
#include "opkit/base/file.h"
#include "opkit/cli/commands/all_commands.h"
#include "opkit/cli/options/op_choice.h"
#include "opkit/cli/options/prepared_call.h"
#include "opkit/cli/terminal/exit_code.h"
#include "opkit/cli/terminal/progress.h"
#include "opkit/cli/tuning/job_answer.h"
#include "opkit/cli/tuning/tune_files.h"
#include "opkit/spread/mpi_library.h"
#include "opkit/spread/spread.h"
#include "opkit/tuning/score.h"

namespace opkit::cli {
namespace {

using Clock = std::chrono::steady_clock;

// Works through the jobs of this shard.
class Tuner {
 public:
  Tuner(const Arguments& arguments, Console& console) : arguments_(arguments), console_(console) {}

  Outcome run() {
    OPKIT_TRY(shard_, read_shard(arguments_.get("--shard")));
    if (arguments_.has("--shard") && !arguments_.has("--out"))
      return Error("OPK-TUNE-014", "--shard needs --out: a file for what the shard finds",
                   "--shard 1/8 --out shard1.json");
    OPKIT_TRY(const tuning::Score score, tuning::Score::parse(arguments_.get("--score")));
    OPKIT_TRY(jobs_, tune_jobs(arguments_, console_));
    OPKIT_CHECK(tuning::Store::open(store_file(arguments_)));
    ShardFile file(shard_, jobs_);
    for (size_t j = shard_.i - 1; j < jobs_.size(); j += shard_.n) mine_.push_back(j);
    const auto processes = static_cast<size_t>(arguments_.integer("--jobs"));
    if (processes > 1 || spread::started_by_mpirun()) {
      OPKIT_TRY(const bool helped, spread_out(processes, file));
      if (helped) return kOk;
    } else {
      OPKIT_CHECK(one_after_the_other(file));
    }
    if (arguments_.has("--out")) OPKIT_CHECK(file.write(arguments_.get("--out")));
    return finish();
  }

 private:
  Status one_after_the_other(ShardFile& file) {
    OPKIT_TRY(tuning::Store store, tuning::Store::open(store_file(arguments_)));
    for (const size_t j : mine_) {
      if (is_over()) {
        ++left_out_;
        continue;
      }
      const auto result = run_job(jobs_[j], arguments_, &store, console_);
      if (!result.ok() && jobs_.size() == 1) return result.error();
      OPKIT_CHECK(take(jobs_[j], answer_of(result, arguments_), file));
    }
    return {};
  }

  // Does a job in a process of its own, which opens the store for itself.
  std::string do_job(size_t number) const {
    Console quiet({.json = false, .quiet = true});
    auto store = tuning::Store::open(store_file(arguments_));
    const auto result = store.ok() ? run_job(jobs_[mine_[number]], arguments_, &*store, quiet)
                                   : Result<JobResult>(store.error());
    return message_of(answer_of(result, arguments_));
  }

  // Returns true where this process has helped another one, which shows what was found.
  Result<bool> spread_out(size_t processes, ShardFile& file) {
    ProgressLine progress(console_, "tune");
    spread::JobList list{mine_.size(), sha256_hex(list_text()),
                         [this](size_t job) { return do_job(job); }};
    list.options.may_begin = [this] { return !is_over(); };
    list.options.progress = [&](const spread::HandOut& all) {
      taken_ = all.ended();
      progress.advance(all.ended(), all.jobs(), fmt::format("{} at work", all.busy()));
    };
    OPKIT_TRY(const auto ends, spread::spread(list, processes));
    progress.finish();
    if (!ends) return true;
    taken_ = 0;
    for (size_t number = 0; number < ends->size(); ++number)
      OPKIT_CHECK(take_end(jobs_[mine_[number]], (*ends)[number], file));
    return false;
  }

  std::string list_text() const {
    std::string text;
    for (const size_t j : mine_) text += jobs_[j].digest + "\n";
    return text;
  }

  Status take_end(const TuneJob& job, const spread::JobEnd& end, ShardFile& file) {
    if (end.error) return take(job, answer_of(Result<JobResult>(*end.error), arguments_), file);
    if (!end.answer) return ++left_out_, Status();
    OPKIT_TRY(const JobAnswer answer, read_answer(*end.answer));
    return take(job, answer, file);
  }

  bool is_over() const {
    const int64_t most = arguments_.integer("--seconds");
    return most > 0 && Clock::now() - begun_ > std::chrono::seconds(most) && taken_ > 0;
  }

  Status take(const TuneJob& job, const JobAnswer& answer, ShardFile& file) {
    ++taken_;
    file.add(job, answer.fate);
    OPKIT_TRY(const JobFate fate, fate_of(answer));
    if (fate.error) {
      failed_.push_back(*fate.error);
      return {};
    }
    std::string text = answer.text;
    if (fate.bank) {  // machines with other builds of an op would undo each other's banks
      const auto known = plugins_.try_emplace(fate.bank->op, fate.bank->plugin).first;
      if (known->second != fate.bank->plugin)
        return stale_bank(answer.bank, fate.bank->op, fate.bank->plugin, known->second);
    }
    if (!arguments_.has("--out") && fate.bank) {
      OPKIT_CHECK(write_entry(answer.bank, *fate.bank));
      if (std::find(banks_.begin(), banks_.end(), answer.bank) == banks_.end())
        banks_.push_back(answer.bank);
      text += "bank: " + answer.bank + "\n";
    }
    console_.print(text);
    calls_.push_back(answer.call);
    sections_ += answer.section;
    return {};
  }

  Outcome finish() {
    if (arguments_.has("--report"))
      OPKIT_CHECK(write_file(arguments_.get("--report"), tuning::report_html(sections_)));
    console_.emit({{"calls", calls_},
                   {"banks", banks_},
                   {"left_out", left_out_},
                   {"failed", to_json(failed_)}});
    for (const Error& error : failed_) console_.print(error.to_string() + "\n");
    if (left_out_ > 0)
      console_.print(
          fmt::format("{} calls were left out: the time of --seconds is over\n", left_out_));
    return failed_.empty() ? kOk : kFailed;
  }

  const Arguments& arguments_;
  Console& console_;
  const Clock::time_point begun_ = Clock::now();
  Shard shard_;
  std::vector<TuneJob> jobs_;
  std::vector<size_t> mine_;                    // jobs of this shard
  std::map<std::string, std::string> plugins_;  // digests of tuned ones, by op
  Json calls_ = Json::array();
  std::string sections_;
  std::vector<std::string> banks_;
  Errors failed_;
  size_t taken_ = 0, left_out_ = 0;
};

Outcome run_tune(const Arguments& arguments, Console& console) {
  return Tuner(arguments, console).run();
}

Flag number_flag(const char* name, const char* preset, const char* help, int64_t least) {
  return {.name = name,
          .value = "N",
          .help = help,
          .integer = true,
          .least = least,
          .most = 1000000,
          .preset = preset};
}

// Returns what a tuning leaves, and where.
std::vector<Flag> file_flags() {
  return {{.name = "--store",
           .value = "FILE",
           .help = "where measurements are kept",
           .complete = Complete::kFile},
          {.name = "--report",
           .value = "FILE",
           .help = "a page with pictures (HTML)",
           .complete = Complete::kFile},
          {.name = "--shard",
           .value = "i/n",
           .help = "every n-th call from the i-th on; with --out, and tune merge afterwards",
           .preset = "1/1"},
          {.name = "--out",
           .value = "FILE",
           .help = "what was found, in place of banks",
           .complete = Complete::kFile}};
}

std::vector<Flag> tune_flags() {
  std::vector<Flag> flags = {
      {.name = "--soc",
       .value = "NAME",
       .help = "the chip",
       .complete = Complete::kSoc,
       .preset = "Ascend910B1"},
      {.name = "--all", .value = "", .help = "every installed op with knobs, at its bench shapes"},
      {.name = "--model",
       .value = "FILE",
       .help = "the calls of an ONNX model, the heaviest first",
       .complete = Complete::kFile},
      {.name = "--input_shape",
       .value = "NAME:DIMS;...",
       .help = "dims of inputs that the model leaves open"},
      case_flag("one of the contract's bench shapes; without it all of them"),
      {.name = "--score",
       .value = "TEXT",
       .help =
           "what is made small: latency, source (0.5 latency, 0.3 / throughput, 0.2 memory), or "
           "an expression over counters",
       .preset = "latency"},
      number_flag("--workers", "1", "processes that plan and measure; the answer is the same", 1),
      number_flag("--jobs", "1", "calls that are tuned at once, each in a process of its own", 1),
      number_flag("--most", "512", "measured candidates of a space that is not exhausted", 1),
      number_flag("--exhaust", "4096", "spaces up to this size are searched as a whole", 1),
      number_flag("--seconds", "0", "begin no call after this time; 0: no limit", 0),
      {.name = "--everything",
       .value = "",
       .help = "measure what the bounds rule out, too, and give every candidate with --json"}};
  for (Flag& flag : file_flags()) flags.push_back(std::move(flag));
  for (Flag& flag : shape_flags()) flags.push_back(std::move(flag));
  flags.push_back(input_flag());
  flags.push_back(output_shape_flag());
  for (Flag& flag : choice_flags()) flags.push_back(std::move(flag));
  for (Flag& flag : worker_flags(WorkerUse::kUnlessToldOtherwise)) flags.push_back(std::move(flag));
  return flags;
}

}  // namespace

Command tune_command() {
  return {
      .name = "tune",
      .summary = "the best tiling of an op's calls, kept in a bank beside the package",
      .details =
          "Searches the knobs that the contract declares: plans every combination, drops what the\n"
          "bounds rule out, measures the rest by launches without data, and runs the winner and "
          "its\n"
          "rivals on data, Checked and beside the oracle. The winner joins the op's bank of "
          "tilings,\n"
          "which run, programs and atc ask. What was measured is kept and never measured again.",
      .positionals = {{.name = "op",
                       .help = "an installed op, a package or a built project",
                       .complete = Complete::kOp,
                       .required = false}},
      .flags = tune_flags(),
      .examples = {{"opkit tune AddRelu", "at the bench shapes of its contract"},
                   {"opkit tune MatMul --shape a=512,768 --shape b=768,3072 --report matmul.html",
                    "one call, with pictures"},
                   {"opkit tune --model resnet50.onnx --workers 4 --seconds 600",
                    "what a model calls, the heaviest first"},
                   {"mpirun -n 8 opkit tune --all", "on the machines that MPI knows"},
                   {"opkit tune --all --shard 2/8 --out shard2.json",
                    "one of eight machines; opkit tune merge shard*.json makes the banks"}},
      .run = run_tune,
  };
}

}  // namespace opkit::cli
