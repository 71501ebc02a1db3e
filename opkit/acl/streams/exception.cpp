#include "opkit/acl/streams/exception.h"

#include <utility>

#include "opkit/acl/base/faults.h"

namespace opkit::acl {
namespace {

thread_local std::optional<FailedOp> failed_here;

}  // namespace

void Exceptions::begin() { failed_here.reset(); }

void Exceptions::at(FailedOp op) { failed_here = std::move(op); }

void Exceptions::named(std::string name) {
  if (failed_here) failed_here->name = std::move(name);
}

void Exceptions::keep(const aclrtExceptionInfo& info) {
  if (!failed_here) return;
  const std::lock_guard<std::mutex> lock(mutex_);
  ops_.push_back({info.stream, info.task, *std::exchange(failed_here, std::nullopt)});
  if (ops_.size() > kMostOps) ops_.pop_front();
}

// What the callback's own calls say is not the program's.
void Exceptions::tell(aclrtExceptionInfo info) {
  keep(info);
  const aclrtExceptionInfoCallback callback = callback_;
  if (!callback) return;
  callback(&info);
  take_text();
}

std::optional<FailedOp> Exceptions::find(uint32_t stream, uint32_t task) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (auto one = ops_.rbegin(); one != ops_.rend(); ++one) {
    if (one->stream == stream && one->task == task) return one->op;
  }
  return std::nullopt;
}

Exceptions& exceptions() {
  static Exceptions& own = *new Exceptions;
  return own;
}

}  // namespace opkit::acl
