// Session: one plugin and the workers that run it, one at a time. A worker that ended is replaced
// when the next question comes.
#ifndef OPKIT_ISOLATION_SESSION_H_
#define OPKIT_ISOLATION_SESSION_H_

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "opkit/call/execute/executor.h"
#include "opkit/call/tiling/author_infer.h"
#include "opkit/isolation/author_call.h"
#include "opkit/isolation/lease.h"
#include "opkit/isolation/op_tables.h"
#include "opkit/isolation/pace.h"
#include "opkit/isolation/worker_end.h"
#include "opkit/isolation/worker_process.h"
#include "registry/package_lease.h"

namespace opkit::isolation {

struct SessionOptions {
  std::string library, contract;  // files; of `package`, when there is one, below its directory
  std::shared_ptr<const registry::PackageLease> package;  // so that every worker gets its bytes
  std::string op;
  Limits limits;
  // Gets what the plugin prints; nothing: it is kept for errors only.
  std::function<void(const std::string& text)> printed;
  // What the plugin may read, where there is no package.
  std::string folder;
  // Gets the first end of a worker that the plugin's code brought about.
  std::function<void(const Error& crash)> crashed;
};

class Session {
 public:
  // Starts a worker and loads the plugin there. Errors: OPK-WORKER, OPK-PLUGIN-001 to -005.
  static Result<std::shared_ptr<Session>> open(SessionOptions options);

  const OpTables& tables() const { return *tables_; }
  const Limits& limits() const { return options_.limits; }
  const SharedWithWorker& shared() const { return *shared_; }
  // Where a call's buffers lie, and what keeps them there when they are not small. Arenas that are
  // too small for them are replaced, which ends the worker. Errors: place's, SharedWithWorker's.
  struct Place {
    Placement at;
    std::shared_ptr<const Lease> lease;  // nothing: of a small call, which the next one overwrites
  };
  Result<Place> place(const CallPlan& plan);
  // What the host's kernel does not offer to confine plugins, a sentence; or empty.
  const std::string& confinement() const { return confinement_; }
  wire::Names& names() { return names_; }
  // Counts the workers that this session has started; another number: the plugin was loaded anew.
  uint64_t generation() const { return generation_; }

  // The plugin's host functions are asked where the tables say so.
  Result<SharedPlan> plan(const OpContract& contract, const SocSpec& soc, const CallFacts& facts);
  Result<std::vector<AuthorOutput>> infer(const OpCall& call);

  // Returns the number by which the worker knows the plan from now on.
  Result<uint64_t> number_of(const SharedPlan& plan);
  // Returns the answer's bytes. `plan` and `at`: of a launch.
  Result<std::string> ask(Ask ask, std::string_view body, const Work& work,
                          const CallPlan* plan = nullptr, const Placement* at = nullptr);
  // Finds the line of a return address that the worker of that generation told of; nothing when it
  // is gone.
  std::optional<debug::SourceLine> line_of(const void* pc, uint64_t generation);
  // Ends the worker at once; the next question goes to another one.
  void end_worker() { worker_ = {}; }
  // Does so, too: workers are told when they open the plugin (OpenRequest).
  void watch_unset(bool watched) {
    watches_unset_ = watched;
    end_worker();
  }
  // Lets the plugin's destructors run and ends the worker.
  Status unload();

 private:
  friend class SpeaksFor;
  struct SentPlan {
    std::weak_ptr<const CallPlan> plan;
    uint64_t number = 0;
    std::chrono::duration<double> took{0};  // the last launch
  };

  struct AnsweredAhead {
    std::string asked;
    AuthorAnswer answer;
  };

  explicit Session(SessionOptions options) : options_(std::move(options)) {}
  Status ready();
  Status start();
  Result<Place> placed(const CallPlan& plan);
  Status grow(Ends needed);
  std::string readable_folder() const;
  std::string place_of(const std::string& file) const;
  Status take_tables(std::string_view answer);
  Result<std::string> judged(WorkerProcess::Outcome outcome, const CallInFlight& call);
  std::chrono::milliseconds patience(const Work& work) const;
  SentPlan* sent(const CallPlan* plan);
  std::optional<debug::SourceLine> resolve(uint64_t offset);
  int32_t call_author(HostFunction function, const opk_call_v1* call,
                      opk_inferred_v1* const* inferred, opk_tiling_v1* tiling);
  static int32_t infer_shape(const opk_call_v1* call, opk_inferred_v1* const* outputs);
  static int32_t infer_dtype(const opk_call_v1* call, opk_inferred_v1* const* outputs);
  static int32_t tile(const opk_call_v1* call, opk_tiling_v1* answer);
  Result<AuthorAnswer> ask_author(HostFunction function, const opk_call_v1& call, uint32_t outputs,
                                  uint64_t capacity);

  SessionOptions options_;
  bool watches_unset_ = false;
  std::shared_ptr<const SharedWithWorker> shared_;
  Leases leases_;
  Ends lent_;                     // where calls so far lay in the arenas
  WorkerProcess worker_, spare_;  // the spare one knows no plugin yet
  uint64_t generation_ = 0;
  std::string rows_;  // keeps what the first worker told
  std::unique_ptr<OpTables> tables_;
  std::string confinement_;
  uint64_t inputs_at_ = 0, outputs_at_ = 0;
  wire::Names names_;
  std::vector<SentPlan> sent_;  // lists what this worker has
  uint64_t next_plan_ = 1;
  std::optional<Error> failure_;  // comes from a host function
  Pace pace_;
  std::optional<AnsweredAhead> ahead_;
  std::map<uint64_t, std::optional<debug::SourceLine>> resolved_;  // is keyed by offset
  // Holds the lines of addresses in this worker alone.
  std::map<const void*, std::optional<debug::SourceLine>> lines_;
};

}  // namespace opkit::isolation

#endif  // OPKIT_ISOLATION_SESSION_H_
