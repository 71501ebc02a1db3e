#include "opkit/isolation/served_plugin.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>

#include "opkit/isolation/crash_handler.h"
#include "opkit/isolation/finish.h"
#include "opkit/isolation/op_tables.h"
#include "opkit/isolation/request_fields.h"

namespace opkit::isolation {
namespace {

constexpr size_t kLongestLine = 64 << 10;               // limits an author's log
constexpr const char* kTellUnset = "OPKIT_TELL_UNSET";  // is what opkit_host/plain_tiling.h reads

template <typename T>
Result<T> read(std::string_view body, const char* what) {
  wire::Reader reader(body);
  T value{};
  reader(value);
  OPKIT_CHECK(finish(reader, what));
  return value;
}

// Returns where the bytes end that somebody wrote.
size_t written_bytes(const std::byte* data, size_t size) {
  while (size >= 8) {
    uint64_t word = 0;
    std::memcpy(&word, data + size - 8, sizeof word);
    if (word != 0) break;
    size -= 8;
  }
  while (size > 0 && data[size - 1] == std::byte{0}) --size;
  return size;
}

std::vector<AuthorLog::Line> short_lines(const AuthorLog& log) {
  std::vector<AuthorLog::Line> lines = log.lines();
  for (AuthorLog::Line& line : lines) {
    if (line.text.size() > kLongestLine) line.text.resize(kLongestLine);
    if (line.code.size() > kLongestLine) line.code.resize(kLongestLine);
  }
  return lines;
}

std::vector<std::vector<const void*>> outputs_of(const PlacedCall& call) {
  std::vector<std::vector<const void*>> at;
  for (const auto& port : call.addresses().outputs) at.emplace_back(port.begin(), port.end());
  return at;
}

std::string short_place(const std::optional<debug::SourceLine>& line) {
  return line ? debug::short_text(*line) : std::string();
}

}  // namespace

// The process is the worker's own, and nothing of the plugin runs yet.
Result<std::string> ServedPlugin::load(const OpenRequest& request) {
  if (request.watches_unset) ::setenv(kTellUnset, "1", 1);
  if (!request.contract.empty()) {
    OPKIT_TRY(contract_, OpContract::load(request.contract));
  }
  const registry::HostFacts host = registry::HostFacts::of_abi();
  {
    const InPhase phase(page_, Phase::kLoading);
    OPKIT_TRY(library_, registry::SharedLibrary::open(request.library));
  }
  const InPhase phase(page_, Phase::kQuery);
  OPKIT_TRY(const opk_query_fn query, library_.query_function());
  OPKIT_TRY(tables_, registry::read_tables(query, host));
  return to_bytes(rows_of(*tables_.header, *tables_.op));
}

Result<std::string> ServedPlugin::answer(const Request& request) {
  switch (request.ask) {
    case Ask::kCall: return call(request.body);
    case Ask::kPlan: return keep_plan(request.body);
    case Ask::kForget: return forget_plan(request.body);
    case Ask::kLaunch: return launch(request.body);
    case Ask::kObserve: return observe(request.body);
    case Ask::kPlace: return place(request.body);
    case Ask::kUnload: return unload();
    default: return Error("OPK-WORKER-006", "a worker was asked what it does not know", "");
  }
}

Result<std::string> ServedPlugin::call(std::string_view body) {
  OPKIT_TRY(const AuthorCall asked, read_author_call(body));
  if (asked.function == HostFunction::kTile) return to_bytes(std::vector{tile(asked)});
  std::vector<AuthorAnswer> answers{infer(asked, asked.function != HostFunction::kInferDtype)};
  if (asked.function == HostFunction::kInfer && answers[0].code == OPK_OK)
    answers.push_back(infer(asked, false));
  return to_bytes(answers);
}

AuthorAnswer ServedPlugin::tile(const AuthorCall& asked) {
  AuthorLog log;
  std::optional<opk_soc_v1> chip;
  const Result<SocMatch> match = find_soc(asked.soc);
  if (match.ok()) chip = to_abi(*match->spec);
  const AbiCall abi(asked.call, chip ? &*chip : nullptr, log.report());
  if (!tiling_ || tiling_->size() != asked.capacity)
    tiling_ = std::make_unique<GuardedBytes>(asked.capacity);
  std::memset(tiling_->data(), 0, tiling_->size());
  AuthorAnswer answer;
  answer.tiling.struct_size = sizeof answer.tiling;
  answer.tiling.data = tiling_->data();
  answer.tiling.data_capacity = tiling_->size();
  {
    const InPhase phase(page_, Phase::kTiling);
    answer.code = tables_.op->tile(abi.get(), &answer.tiling);
  }
  answer.log = short_lines(log);
  answer.tiling_data.assign(tiling_->data(),
                            tiling_->data() + written_bytes(tiling_->data(), tiling_->size()));
  return answer;
}

AuthorAnswer ServedPlugin::infer(const AuthorCall& asked, bool shape) {
  AuthorLog log;
  const AbiCall abi(asked.call, nullptr, log.report());
  AuthorAnswer answer;
  std::vector<opk_inferred_v1*> rows;
  answer.inferred.resize(asked.outputs);
  for (opk_inferred_v1& row : answer.inferred) {
    row = {};
    row.struct_size = sizeof row;
    row.dtype = OPK_DTYPE_UNDEFINED;
    rows.push_back(&row);
  }
  const InPhase phase(page_, shape ? Phase::kInferShape : Phase::kInferDtype);
  const auto function = shape ? tables_.op->infer_shape : tables_.op->infer_dtype;
  answer.code = function(abi.get(), rows.data());
  answer.log = short_lines(log);
  return answer;
}

Result<std::string> ServedPlugin::keep_plan(std::string_view body) {
  OPKIT_TRY(NumberedPlan made, read_plan(body, contract_, *tables_.op));
  plans_[made.number] = std::move(made.plan);
  return std::string();
}

Result<std::string> ServedPlugin::forget_plan(std::string_view body) {
  OPKIT_TRY(const uint64_t number, read<uint64_t>(body, "a plan's number"));
  plans_.erase(number);
  if (placed_ && placed_->plan == number) placed_.reset();
  return std::string();
}

Result<std::shared_ptr<const CallPlan>> ServedPlugin::plan(uint64_t number) const {
  const auto found = plans_.find(number);
  if (found != plans_.end()) return found->second;
  return Error("OPK-WORKER-006", fmt::format("the worker knows no plan {}", number), "");
}

Result<OpRunner*> ServedPlugin::runner(const std::string& soc, const OnMachine& on) {
  std::unique_ptr<OpRunner>& runner = runners_[{soc, on.threads, on.room}];
  if (!runner) {
    OPKIT_TRY(const SocMatch match, find_soc(soc));
    runner = std::make_unique<OpRunner>(*match.spec, on.threads, on.room);
  }
  return runner.get();
}

Result<std::byte*> ServedPlugin::workspace_of(const CallPlan& plan) {
  const uint64_t bytes = plan.tiling.workspace_bytes();
  if (bytes > workspace_.size_bytes()) {
    OPKIT_TRY(workspace_, Workspace::make(bytes));
  }
  const uint64_t unused = workspace_.size_bytes() - bytes;
  return workspace_.data() + unused / kPage * kPage;
}

Result<PlacedCall*> ServedPlugin::placed(uint64_t number, const Placement& at,
                                         bool keep_workspace) {
  if (!placed_ || placed_->plan != number || !(placed_->at == at)) {
    OPKIT_TRY(const auto plan, this->plan(number));
    OPKIT_TRY(std::byte * workspace, workspace_of(*plan));
    const CallAddresses addresses = memory_.open(at, workspace);
    OPKIT_TRY(PlacedCall call, PlacedCall::place(plan, addresses));
    placed_.emplace(Placed{number, at, std::move(call)});
  }
  if (!keep_workspace) workspace_.poison();
  return &placed_->call;
}

Result<std::string> ServedPlugin::launch(std::string_view body) {
  using Clock = std::chrono::steady_clock;
  OPKIT_TRY(const LaunchAsked asked, read<LaunchAsked>(body, "a launch"));
  OPKIT_TRY(PlacedCall * call, placed(asked.on.plan, asked.at, asked.keep_workspace));
  OPKIT_TRY(OpRunner * runner, this->runner(call->plan().soc->name, asked.on));
  OPKIT_TRY(Watch watch, Watch::make(asked.watch, *call->plan().soc));
  LaunchOptions options;
  options.observer = watch.observer();
  options.schedule_seed = asked.on.schedule_seed;
  options.filled = true;
  const Clock::time_point start = Clock::now();
  const InPhase phase(page_, Phase::kKernel);
  core::LaunchReport report = call->launch(runner->machine(), options);
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return wire::written(seconds, watch.take(std::move(report)));
}

Result<std::string> ServedPlugin::observe(std::string_view body) {
  OPKIT_TRY(const QuestionAsked asked, read<QuestionAsked>(body, "a question"));
  OPKIT_TRY(const auto plan, this->plan(asked.on.plan));
  OPKIT_TRY(OpRunner * runner, this->runner(plan->soc->name, asked.on));
  AskedCall call{plan, runner->machine(), asked.on.schedule_seed};
  if (needs_tensors(asked.question)) {
    if (!asked.at) return Error("OPK-WORKER-006", "a question lacks its tensors", "");
    OPKIT_TRY(PlacedCall * tensors, placed(asked.on.plan, *asked.at));
    call.outputs = outputs_of(*tensors);
    call.place = [this](const void* pc) { return short_place(lines_.find(pc)); };
    call.launch = [tensors, runner](core::Observer* observer) {
      return tensors->launch(runner->machine(), {.observer = observer, .filled = true});
    };
  }
  const InPhase phase(page_, Phase::kKernel);
  OPKIT_TRY(const QuestionAnswer told, opkit::answer(asked.question, call));
  return wire::written(told);
}

Result<std::string> ServedPlugin::place(std::string_view body) {
  wire::Reader reader(body);
  const void* pc = nullptr;
  reader(pc);
  OPKIT_CHECK(finish(reader, "an address"));
  return wire::written(lines_.find(pc));
}

Result<std::string> ServedPlugin::unload() {
  placed_.reset();
  plans_.clear();
  const InPhase phase(page_, Phase::kUnloading);
  library_.close();
  return std::string();
}

}  // namespace opkit::isolation
