// CapturedGraph: what streams were given while they were captured, to be given to streams again and
// again. Programs call it aclmdlRI.
#ifndef OPKIT_ACL_STREAMS_GRAPH_H_
#define OPKIT_ACL_STREAMS_GRAPH_H_

#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "opkit/acl/base/handle_table.h"
#include "opkit/acl/streams/scheduler.h"

namespace opkit::acl {

// A captured task's work. Executions that have not come to it yet take the one that it was replaced
// by.
class StepWork {
 public:
  using Function = std::function<aclError()>;

  explicit StepWork(Function function) { replace(std::move(function)); }
  aclError run() const { return (*now())(); }
  void replace(Function function);

 private:
  std::shared_ptr<const Function> now() const;

  mutable std::mutex mutex_;
  std::shared_ptr<const Function> now_;
};

// What was captured, as prints name it.
enum class CapturedStepKind : uint8_t { kKernel, kOperator, kOther, kRecord, kWait };

struct CapturedStep {
  static constexpr size_t kNone = ~size_t{0};

  CapturedStepKind kind = CapturedStepKind::kOther;
  size_t stream = 0;               // 0: the one whose capture began
  std::shared_ptr<StepWork> work;  // nullptr: it is there for an order alone
  size_t after = kNone;            // a step before this one, of another stream
  bool awaited = false;            // some step is `after` this one
};

// Steps that can be replaced. Programs call it aclrtTaskGrp.
struct TaskGroup {
  std::vector<std::pair<std::shared_ptr<StepWork>, TaskKind>> tasks;
  bool updating = false;
};

struct CapturedGraph {
  std::vector<CapturedStep> steps;  // keeps the order of the calls: none before one it waits for
  size_t streams = 1;
  bool capturing = true;
  HandleTable<TaskGroup> groups{"aclrtTaskGrp"};
  std::shared_ptr<Moment> last_end;  // ends the latest execution; nullptr: there was none

  bool running() const { return last_end && !last_end->passed(); }
  // Tells whether the end of the first stream is behind all steps.
  bool joined() const;
  // Returns one execution, which begins on `queue` when the one before has ended. What goes wrong
  // on other streams is told by the last task of `queue`.
  Scheduler::Batch execution(const std::shared_ptr<TaskQueue>& queue);
};

// Returns those that the program has, made on first use and never destroyed. REQUIRES: the lock is
// held.
HandleTable<CapturedGraph>& graphs();
// Finds a captured graph whose capture has ended. REQUIRES: the lock is held.
aclError find_graph(aclmdlRI model, CapturedGraph*& graph);

}  // namespace opkit::acl

#endif  // OPKIT_ACL_STREAMS_GRAPH_H_
