// Calls of a plugin's host functions as bytes: what is asked, what is answered.
#ifndef OPKIT_ISOLATION_AUTHOR_CALL_H_
#define OPKIT_ISOLATION_AUTHOR_CALL_H_

#include <deque>
#include <string>
#include <vector>

#include "opkit/base/status.h"
#include "opkit/base/wire.h"
#include "opkit/call/tiling/author_log.h"
#include "opkit/call/tiling/op_call.h"

namespace opkit::isolation {

// kInfer: of shapes, and if that succeeds of dtypes.
enum class HostFunction : uint8_t { kInferShape, kInferDtype, kInfer, kTile };
inline constexpr uint32_t kHostFunctions = 4;

// A call that owns all that it points to.
struct AuthorCall {
  HostFunction function = HostFunction::kTile;
  std::string soc;  // full name, of tiling
  OpCall call;
  std::deque<std::vector<std::byte>> values;  // holds the bytes of value-dependent inputs
  uint32_t outputs = 0;                       // rows that inference fills
  uint64_t capacity = 0;                      // bytes of tiling data
};

// Returns the call, and with the function to be called.
std::string to_bytes(const opk_call_v1& call, uint32_t outputs, uint64_t capacity);
std::string to_bytes(HostFunction function, std::string_view call);
// Error: OPK-WORKER-006.
Result<AuthorCall> read_author_call(std::string_view bytes);

// Whatever the function left in the structs, unjudged.
struct AuthorAnswer {
  int32_t code = 0;
  std::vector<AuthorLog::Line> log;
  std::vector<opk_inferred_v1> inferred;
  opk_tiling_v1 tiling{};              // without data
  std::vector<std::byte> tiling_data;  // up to the last byte that is not zero
};

std::string to_bytes(const std::vector<AuthorAnswer>& answers);
// Reads one answer, or two of kInfer. Error: OPK-WORKER-006, also when it answers another number
// of outputs or more tiling data than there is room for.
Result<std::vector<AuthorAnswer>> read_author_answers(std::string_view bytes, uint32_t outputs,
                                                      uint64_t capacity);

}  // namespace opkit::isolation

#endif  // OPKIT_ISOLATION_AUTHOR_CALL_H_
