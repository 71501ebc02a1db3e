// What a build tells while it runs.
#ifndef OPKIT_BUILD_PROJECT_BUILD_EVENTS_H_
#define OPKIT_BUILD_PROJECT_BUILD_EVENTS_H_

#include <cstddef>
#include <string>

#include "opkit/base/status.h"

namespace opkit::project {

// The default implementation is silent.
class BuildEvents {
 public:
  virtual ~BuildEvents() = default;
  // A new step without a known length: "configuring".
  virtual void step(const std::string&) {}
  // One of `total` pieces of work is done.
  virtual void advance(size_t /*done*/, size_t /*total*/, const std::string& /*what*/) {}
  // Called with a note on what the build assumed because the sources do not say it.
  virtual void note(const Error&) {}
};

}  // namespace opkit::project

#endif  // OPKIT_BUILD_PROJECT_BUILD_EVENTS_H_
