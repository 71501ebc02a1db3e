#include "opkit/base/cause.h"

#include <algorithm>
#include <iterator>

namespace opkit {
namespace {

struct CauseOfCode {
  Cause cause;
  std::string_view code;
};

constexpr CauseOfCode kCauses[] = {
#define OPKIT_CAUSE(cause, code) {Cause::cause, code},
#include "opkit/base/codes/causes.def"
#undef OPKIT_CAUSE
};

}  // namespace

bool has_cause(std::string_view code, Cause cause) {
  return std::any_of(std::begin(kCauses), std::end(kCauses), [&](const CauseOfCode& row) {
    return row.cause == cause && row.code == code;
  });
}

}  // namespace opkit
