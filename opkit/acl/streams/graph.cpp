#include "opkit/acl/streams/graph.h"

#include "opkit/acl/base/error.h"

namespace opkit::acl {
namespace {

// What went wrong first on the further streams of one execution.
class Outcome {
 public:
  void keep(aclError code, std::string text) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (first_.code == ACL_SUCCESS) first_ = {code, std::move(text)};
  }
  aclError tell() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return first_.code ? fail(first_.code, "%s", first_.text.c_str()) : aclError{ACL_SUCCESS};
  }

 private:
  mutable std::mutex mutex_;
  TaskFailure first_;
};

// Returns the moments of one execution: of each step that another one waits for.
std::vector<std::shared_ptr<Moment>> moments_of(const std::vector<CapturedStep>& steps) {
  std::vector<std::shared_ptr<Moment>> moments(steps.size());
  for (size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].awaited) moments[i] = std::make_shared<Moment>();
  }
  return moments;
}

std::function<aclError()> work_of(const CapturedStep& step,
                                  const std::shared_ptr<Outcome>& outcome) {
  if (!step.work) return {};
  if (step.stream == 0) return [work = step.work] { return work->run(); };
  return [work = step.work, outcome] {
    if (const aclError code = work->run()) outcome->keep(code, take_text());
    return aclError{ACL_SUCCESS};
  };
}

}  // namespace

void StepWork::replace(Function function) {
  auto made = std::make_shared<const Function>(std::move(function));
  const std::lock_guard<std::mutex> lock(mutex_);
  now_.swap(made);
}

std::shared_ptr<const StepWork::Function> StepWork::now() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return now_;
}

bool CapturedGraph::joined() const {
  std::vector<bool> joined(streams, false);  // the stream's steps from here back
  std::vector<bool> awaited(steps.size(), false);
  joined[0] = true;
  for (size_t i = steps.size(); i-- > 0;) {
    const CapturedStep& step = steps[i];
    if (awaited[i]) joined[step.stream] = true;
    if (!joined[step.stream]) return false;
    if (step.after != CapturedStep::kNone) awaited[step.after] = true;
  }
  return true;
}

Scheduler::Batch CapturedGraph::execution(const std::shared_ptr<TaskQueue>& queue) {
  const auto moments = moments_of(steps);
  const auto outcome = std::make_shared<Outcome>();
  std::vector<std::shared_ptr<TaskQueue>> queues{queue};
  while (queues.size() < streams) queues.push_back(std::make_shared<TaskQueue>());

  Scheduler::Batch batch;
  Task first, last;
  first.after = last_end;
  if (last_end) batch.emplace_back(queue, std::move(first));
  for (size_t i = 0; i < steps.size(); ++i) {
    Task task;
    task.work = work_of(steps[i], outcome);
    if (steps[i].after != CapturedStep::kNone) task.after = moments[steps[i].after];
    task.marks = moments[i];
    batch.emplace_back(queues[steps[i].stream], std::move(task));
  }
  last.marks = last_end = std::make_shared<Moment>();
  if (streams > 1) last.work = [outcome] { return outcome->tell(); };
  batch.emplace_back(queue, std::move(last));
  return batch;
}

HandleTable<CapturedGraph>& graphs() {
  static HandleTable<CapturedGraph>& all = *new HandleTable<CapturedGraph>("aclmdlRI");
  return all;
}

aclError find_graph(aclmdlRI model, CapturedGraph*& graph) {
  graph = graphs().find(model);
  if (!graph) return graphs().unknown(model);
  if (!graph->capturing) return ACL_SUCCESS;
  return fail(ACL_ERROR_RT_MODEL_CAPTURED,
              "the aclmdlRI is still being captured; call aclmdlRICaptureEnd first");
}

}  // namespace opkit::acl
