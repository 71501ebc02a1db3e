// In the worker: what describes its end on the incident page.
#ifndef OPKIT_ISOLATION_CRASH_HANDLER_H_
#define OPKIT_ISOLATION_CRASH_HANDLER_H_

#include <string>

#include "opkit/isolation/incident.h"

namespace opkit::isolation {

// From now on signals that end the process, exceptions that nobody catches, and SIGUSR2 ("where are
// you?") write the page first. `library`: whose instructions are looked for on the stack. Once per
// process; the page and the name stay.
void describe_end_on(Incident& page, const std::string& library);

// The plugin's code that runs next.
class InPhase {
 public:
  InPhase(Incident& page, Phase phase) : page_(page), before_(page.phase.load()) {
    page.phase.store(static_cast<uint32_t>(phase));
  }
  ~InPhase() { page_.phase.store(before_); }
  InPhase(const InPhase&) = delete;
  InPhase& operator=(const InPhase&) = delete;

 private:
  Incident& page_;
  uint32_t before_;
};

}  // namespace opkit::isolation

#endif  // OPKIT_ISOLATION_CRASH_HANDLER_H_
