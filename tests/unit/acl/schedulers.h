// Schedulers by number, for tests that hold under every one of them.
#ifndef OPKIT_TESTS_UNIT_ACL_SCHEDULERS_H_
#define OPKIT_TESTS_UNIT_ACL_SCHEDULERS_H_

#include <memory>
#include <string>

#include "opkit/acl/streams/program_scheduler.h"

namespace opkit::acl {

// Returns what the runtime said of this thread's last failure.
inline std::string said() {
  const char* const text = aclGetRecentErrMsg();
  return text ? text : "";
}

// 0: immediate; -1: concurrent; others: seeds.
inline std::unique_ptr<Scheduler> scheduler_named(int name) {
  if (name == 0) return make_immediate_scheduler();
  return name == -1 ? make_concurrent_scheduler()
                    : make_seeded_scheduler(static_cast<uint64_t>(name));
}

inline void use(int name) {
  the_scheduler();
  use_scheduler(scheduler_named(name));
}

}  // namespace opkit::acl

#endif  // OPKIT_TESTS_UNIT_ACL_SCHEDULERS_H_
