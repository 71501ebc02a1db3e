#include "opkit/acl/media/dvpp.h"

#include "opkit/acl/base/leaks.h"

namespace opkit::acl {
namespace {

void report_dvpp_leaks() {
  const DvppObjects& left = dvpp();
  report_leaks(left.channels);
  report_leaks(left.batches);
  report_leaks(left.pictures);
  report_leaks(left.regions);
  report_leaks(left.resize_configs);
  report_leaks(left.border_configs);
  report_leaks(left.jpeg_configs);
}

DvppObjects* make_dvpp() {
  add_leak_report(report_dvpp_leaks);
  return new DvppObjects;
}

}  // namespace

DvppObjects& dvpp() {
  static DvppObjects& own = *make_dvpp();
  return own;
}

}  // namespace opkit::acl
