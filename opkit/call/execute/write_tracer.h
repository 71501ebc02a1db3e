// Which instructions of a kernel wrote an element of an output.
#ifndef OPKIT_CALL_EXECUTE_WRITE_TRACER_H_
#define OPKIT_CALL_EXECUTE_WRITE_TRACER_H_

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "opkit/core/state/observer.h"

namespace opkit {

struct WriteEvent {
  uint32_t block = 0;
  int sub_block = -1;       // AIV 0 or 1 of the block; -1 = an unsplit core
  std::string instruction;  // "DataCopyPad"
  const void* pc = nullptr;
  uint64_t occurrence = 0;  // the n-th time that this place of the kernel ran in its core, from 1
};

// Watches one launch and keeps the last writes that touched the bytes.
class WriteTracer : public core::Observer {
 public:
  WriteTracer(const uint8_t* from, uint64_t bytes) : from_(from), bytes_(bytes) {}

  bool admit(core::Core& core, const core::Footprint& footprint) override;
  // Oldest first, the last few.
  const std::vector<WriteEvent>& events() const { return events_; }

 private:
  bool hits(const core::Access& access) const;

  const uint8_t* from_;
  uint64_t bytes_;
  std::map<std::tuple<uint32_t, int, const void*, const char*>, uint64_t> times_;
  std::vector<WriteEvent> events_;
};

}  // namespace opkit

#endif  // OPKIT_CALL_EXECUTE_WRITE_TRACER_H_
