#include "opkit/acl/base/leaks.h"

#include <mutex>
#include <vector>

namespace opkit::acl {
namespace {

struct AddedReports {
  std::mutex mutex;
  std::vector<LeakReport> all;
};

AddedReports& added_reports() {
  static AddedReports& own = *new AddedReports;
  return own;
}

}  // namespace

void add_leak_report(LeakReport report) {
  AddedReports& added = added_reports();
  const std::lock_guard<std::mutex> lock(added.mutex);
  added.all.push_back(report);
}

void report_added_leaks() {
  std::vector<LeakReport> all;
  {
    AddedReports& added = added_reports();
    const std::lock_guard<std::mutex> lock(added.mutex);
    all = added.all;
  }
  for (const LeakReport report : all) report();
}

}  // namespace opkit::acl
