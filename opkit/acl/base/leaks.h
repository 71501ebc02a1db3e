// What a program left when its use of the runtime ends, told on stderr.
#ifndef OPKIT_ACL_BASE_LEAKS_H_
#define OPKIT_ACL_BASE_LEAKS_H_

#include <cstdio>

#include "opkit/acl/base/handle_table.h"

namespace opkit::acl {

template <typename T>
void report_leaks(const HandleTable<T>& all) {
  if (all.size() == 0) return;
  std::fprintf(stderr, "opkit: leak: %zu %s(s) never destroyed\n", all.size(), all.what());
}

// Called with the lock held.
using LeakReport = void (*)();
// Adds the report of a library that programs load only when they use it. Threads may call it at any
// time.
OPKIT_ACL_SHARED void add_leak_report(LeakReport report);
// Makes the reports that were added. REQUIRES: the lock is held.
void report_added_leaks();

}  // namespace opkit::acl

#endif  // OPKIT_ACL_BASE_LEAKS_H_
