// Runners: the emulated chips of this process, each made when it is first asked for. Ops of one
// model share them.
#ifndef OPKIT_CALL_EXECUTE_RUNNERS_H_
#define OPKIT_CALL_EXECUTE_RUNNERS_H_

#include <map>
#include <memory>
#include <string>

#include "opkit/call/plan/op_runner.h"

namespace opkit {

class Runners {
 public:
  struct Chip {
    std::string soc;
    unsigned threads = 1;
    uint32_t room = 1;  // OpRunner's local_memory_factor
    auto operator<=>(const Chip&) const = default;
  };
  // Error: find_soc's. It lives as long as this.
  Result<OpRunner*> of(const Chip& chip);

 private:
  std::map<Chip, std::unique_ptr<OpRunner>> runners_;
};

}  // namespace opkit

#endif  // OPKIT_CALL_EXECUTE_RUNNERS_H_
