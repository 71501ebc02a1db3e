#include "opkit/isolation/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <utility>

#include "opkit/isolation/finish.h"
#include "opkit/isolation/request_fields.h"

namespace opkit::isolation {

using std::chrono::milliseconds;

// Functions of the waist have no place for their owner, so that it is said beside them, for the
// time of one call on one thread.
class SpeaksFor {
 public:
  explicit SpeaksFor(Session& session) : before_(speaking) { speaking = &session; }
  ~SpeaksFor() { speaking = before_; }
  SpeaksFor(const SpeaksFor&) = delete;
  SpeaksFor& operator=(const SpeaksFor&) = delete;

  static int32_t call(HostFunction function, const opk_call_v1* call,
                      opk_inferred_v1* const* inferred, opk_tiling_v1* tiling) {
    if (!speaking) return OPK_E_UNSUPPORTED;
    return speaking->call_author(function, call, inferred, tiling);
  }

 private:
  static thread_local Session* speaking;
  Session* before_;
};
thread_local Session* SpeaksFor::speaking = nullptr;

namespace {

constexpr milliseconds kResolve{10'000};
constexpr size_t kKeptPlans = 64;

bool is_code(const std::string& code) {
  if (code.size() < 5 || code.size() > 32) return false;
  return std::all_of(code.begin(), code.end(), [](unsigned char c) {
    return std::isupper(c) || std::isdigit(c) || c == '-';
  });
}

// A signal, exit(), memory that is not the plugin's, an exception.
bool is_crash(const Error& error) { return error.is(Cause::kCrash); }

uint32_t output_tensors(const opk_call_v1& call) {
  uint32_t count = 0;
  for (uint32_t p = 0; p < call.output_count; ++p) count += call.outputs[p]->count;
  return count;
}

void take(const AuthorAnswer& answer, opk_tiling_v1& tiling) {
  const opk_tiling_v1& said = answer.tiling;
  tiling.block_dim = said.block_dim;
  tiling.tiling_key = said.tiling_key;
  tiling.data_size = said.data_size;
  tiling.workspace_count = said.workspace_count;
  tiling.schedule_mode = said.schedule_mode;
  tiling.local_memory_size = said.local_memory_size;
  tiling.need_atomic = said.need_atomic;
  std::copy(std::begin(said.workspaces), std::end(said.workspaces), tiling.workspaces);
  if (!answer.tiling_data.empty())
    std::memcpy(tiling.data, answer.tiling_data.data(), answer.tiling_data.size());
}

}  // namespace

Result<std::shared_ptr<Session>> Session::open(SessionOptions options) {
  options.limits = complete(options.limits);
  std::shared_ptr<Session> session(new Session(std::move(options)));
  OPKIT_TRY(SharedWithWorker shared, SharedWithWorker::make());
  session->shared_ = std::make_shared<const SharedWithWorker>(std::move(shared));
  OPKIT_CHECK(session->ready());
  return session;
}

Status Session::ready() {
  if (worker_.alive()) return {};
  if (!options_.package) return start();
  const bool first = !tables_;
  return options_.package->reading([&](const auto&) {
    if (first) tables_.reset();  // drops tables of what took the package's place meanwhile
    return start();
  });
}

std::string Session::place_of(const std::string& file) const {
  if (!options_.package || file.empty()) return file;
  return std::filesystem::weakly_canonical(options_.package->directory() / file).string();
}

std::string Session::readable_folder() const {
  return options_.package ? options_.package->directory().string() : options_.folder;
}

// With a worker of its own, whatever there was.
Status Session::start() {
  sent_.clear();
  lines_.clear();
  if (!spare_.alive()) {
    OPKIT_TRY(spare_, WorkerProcess::start(*shared_, options_.limits));
  }
  worker_ = std::exchange(spare_, {});
  shared_->forget_incident();
  // What an earlier one took beside its calls' buffers is not this one's.
  if (generation_ > 0 && lent_.outputs < shared_->outputs.bytes())
    shared_->outputs.forget(lent_.outputs, shared_->outputs.bytes() - lent_.outputs);
  worker_.lend(lent_, leases_.bytes());
  ++generation_;
  OpenRequest request{place_of(options_.library), place_of(options_.contract), readable_folder(),
                      options_.limits, watches_unset_};
  CallInFlight call{options_.op};
  call.opening = true;
  const auto answer = judged(worker_.ask(Ask::kOpen, to_bytes(request), patience({}), false), call);
  Status opened = answer.ok() ? take_tables(*answer) : Status(answer.error());
  if (!opened.ok()) worker_ = {};
  // Whoever has ended one worker will end more: the next one gets ready meanwhile.
  if (generation_ > 1 && opened.ok()) {
    if (auto next = WorkerProcess::start(*shared_, options_.limits); next.ok())
      spare_ = std::move(next).value();
  }
  return opened;
}

Status Session::take_tables(std::string_view bytes) {
  OPKIT_TRY(OpenAnswer answer, read_open_answer(bytes));
  inputs_at_ = answer.inputs_at;
  outputs_at_ = answer.outputs_at;
  confinement_ = std::move(answer.confinement);
  if (tables_ && answer.rows != rows_) {
    return Error("OPK-WORKER-006", "the plugin's tables are not those of its first start",
                 "make the tables constant")
        .of(options_.op);
  }
  if (tables_) return {};
  OPKIT_TRY(OpRows rows, read_rows(answer.rows));
  rows_ = std::move(answer.rows);
  tables_ = std::make_unique<OpTables>(std::move(rows),
                                       OpTables::Functions{infer_shape, infer_dtype, tile});
  return {};
}

milliseconds Session::patience(const Work& work) const {
  return options_.limits.time.count() > 0 ? options_.limits.time : pace_.limit(work);
}

Result<std::string> Session::ask(Ask ask, std::string_view body, const Work& work,
                                 const CallPlan* plan, const Placement* at) {
  OPKIT_CHECK(ready());
  SentPlan* known = work.kind == Work::Kind::kLaunch ? sent(plan) : nullptr;
  const bool together =
      known && Company{work.threads, work.bytes, worker_.idle(), known->took}.wanted();
  const auto began = std::chrono::steady_clock::now();
  WorkerProcess::Outcome outcome = worker_.ask(ask, body, patience(work), together);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
  if (outcome.message) pace_.learn(work, took);
  if (known) known->took = took;
  return judged(std::move(outcome), {options_.op, plan, at, inputs_at_, outputs_at_});
}

Result<std::string> Session::judged(WorkerProcess::Outcome outcome, const CallInFlight& call) {
  if (!outcome.message) {
    if (outcome.end.cause == WorkerEnd::Cause::kTime) pace_.too_slow();
    if (options_.printed && !outcome.end.printed.empty()) options_.printed(outcome.end.printed);
    Error error = error_of(outcome.end, call, resolve(outcome.end.offset));
    if (is_crash(error) && options_.crashed) std::exchange(options_.crashed, {})(error);
    return error;
  }
  if (options_.printed) {
    if (const std::string text = worker_.take_printed(); !text.empty()) options_.printed(text);
  }
  if (outcome.message->kind == Reply::kAnswer) return std::move(outcome.message->body);
  wire::Reader reader(outcome.message->body);
  Error error;
  reader(error);
  if (!is_code(error.code)) reader.refuse("an error without a code");
  OPKIT_CHECK(finish(reader, "a worker's error"));
  if (error.op.empty()) error.op = options_.op;
  return error;
}

// A worker of its own: the one that knew the plugin is gone, and debug information is foreign, too.
std::optional<debug::SourceLine> Session::resolve(uint64_t offset) {
  if (offset == 0) return std::nullopt;
  const auto known = resolved_.find(offset);
  if (known != resolved_.end()) return known->second;
  std::optional<debug::SourceLine> line;
  auto reader = WorkerProcess::start(*shared_, options_.limits);
  if (reader.ok()) {
    reader->lend(lent_, 0);
    const auto told = reader->ask(
        Ask::kResolve, wire::written(place_of(options_.library), readable_folder(), offset),
        kResolve, false);
    if (told.message && told.message->kind == Reply::kAnswer) {
      wire::Reader bytes(told.message->body);
      bytes(line);
      if (!finish(bytes, "a source line").ok()) line.reset();
    }
  }
  resolved_[offset] = line;
  return line;
}

// Shapes and dtypes of a call are asked one after the other: the answer about dtypes comes along
// and waits for its question.
Result<AuthorAnswer> Session::ask_author(HostFunction function, const opk_call_v1& call,
                                         uint32_t outputs, uint64_t capacity) {
  std::string asked = to_bytes(call, outputs, capacity);
  if (function == HostFunction::kInferDtype && ahead_ && ahead_->asked == asked)
    return std::exchange(ahead_, {})->answer;
  ahead_.reset();
  const bool both = function == HostFunction::kInferShape && tables_->op().infer_dtype != nullptr;
  OPKIT_TRY(const std::string bytes,
            ask(Ask::kCall, to_bytes(both ? HostFunction::kInfer : function, asked),
                Work{Work::Kind::kHostFunction}));
  OPKIT_TRY(std::vector<AuthorAnswer> answers, read_author_answers(bytes, outputs, capacity));
  if (answers.size() > 1) ahead_ = {std::move(asked), std::move(answers[1])};
  return std::move(answers[0]);
}

int32_t Session::call_author(HostFunction function, const opk_call_v1* call,
                             opk_inferred_v1* const* inferred, opk_tiling_v1* tiling) {
  const uint32_t outputs = tiling ? 0 : output_tensors(*call);
  Result<AuthorAnswer> asked =
      ask_author(function, *call, outputs, tiling ? tiling->data_capacity : 0);
  if (!asked.ok()) {
    failure_ = std::move(asked).error();
    return OPK_E_FAILED;
  }
  for (const AuthorLog::Line& line : asked->log)
    call->report->report(call->report->host, line.severity,
                         line.code.empty() ? nullptr : line.code.c_str(), line.text.c_str());
  for (uint32_t i = 0; i < outputs; ++i) {
    asked->inferred[i].struct_size = inferred[i]->struct_size;
    *inferred[i] = asked->inferred[i];
  }
  if (tiling) take(*asked, *tiling);
  return asked->code;
}

int32_t Session::infer_shape(const opk_call_v1* call, opk_inferred_v1* const* outputs) {
  return SpeaksFor::call(HostFunction::kInferShape, call, outputs, nullptr);
}

int32_t Session::infer_dtype(const opk_call_v1* call, opk_inferred_v1* const* outputs) {
  return SpeaksFor::call(HostFunction::kInferDtype, call, outputs, nullptr);
}

int32_t Session::tile(const opk_call_v1* call, opk_tiling_v1* answer) {
  return SpeaksFor::call(HostFunction::kTile, call, nullptr, answer);
}

Result<SharedPlan> Session::plan(const OpContract& contract, const SocSpec& soc,
                                 const CallFacts& facts) {
  const SpeaksFor scope(*this);
  failure_.reset();
  auto plan = plan_call(contract, tables_->op(), soc, facts);
  if (failure_) return std::move(*failure_);
  if (!plan.ok()) return std::move(plan).error();
  return std::make_shared<const CallPlan>(std::move(plan).value());
}

Result<std::vector<AuthorOutput>> Session::infer(const OpCall& call) {
  const SpeaksFor scope(*this);
  failure_.reset();
  auto outputs = call_infer(tables_->op(), call);
  if (failure_) return std::move(*failure_);
  return outputs;
}

Session::SentPlan* Session::sent(const CallPlan* plan) {
  const auto same = [plan](const SentPlan& sent) { return sent.plan.lock().get() == plan; };
  const auto found = std::ranges::find_if(sent_, same);
  return found == sent_.end() ? nullptr : &*found;
}

Result<uint64_t> Session::number_of(const SharedPlan& plan) {
  OPKIT_CHECK(ready());
  if (const SentPlan* known = sent(plan.get())) return known->number;
  if (sent_.size() >= kKeptPlans) {
    worker_.say(Ask::kForget, wire::written(sent_.front().number));
    sent_.erase(sent_.begin());
  }
  const uint64_t number = next_plan_++;
  worker_.say(Ask::kPlan, plan_to_bytes(number, *plan, tables_->op()));
  sent_.push_back({plan, number});
  return number;
}

std::optional<debug::SourceLine> Session::line_of(const void* pc, uint64_t generation) {
  if (pc == nullptr || generation != generation_ || !worker_.alive()) return std::nullopt;
  const auto known = lines_.find(pc);
  if (known != lines_.end()) return known->second;
  std::optional<debug::SourceLine> line;
  if (const auto answer = ask(Ask::kPlace, wire::written(pc), {}); answer.ok()) {
    wire::Reader reader(*answer);
    reader(line);
    if (!finish(reader, "a source line").ok()) line.reset();
  }
  lines_[pc] = line;
  return line;
}

Status Session::unload() {
  OPKIT_TRY(const std::string done, ask(Ask::kUnload, {}, {}));
  (void)done;
  worker_ = {};
  spare_ = {};
  return {};
}

}  // namespace opkit::isolation
