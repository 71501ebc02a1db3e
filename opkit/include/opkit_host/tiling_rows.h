// The fields of an op's tiling data as rows of the waist.
#ifndef OPKIT_HOST_TILING_ROWS_H_
#define OPKIT_HOST_TILING_ROWS_H_

#include <deque>
#include <string>
#include <vector>

#include "opkit/abi/plugin.h"

namespace opkit_host {

// Holds what the classes registered for one op type say: its own, and those of single keys; where
// none is registered, what the plain structs of its sources say. No rows where neither is known, or
// where a class cannot be made.
class __attribute__((visibility("hidden"))) TilingRows {
 public:
  explicit TilingRows(const std::string& op_type);
  TilingRows(const TilingRows&) = delete;
  TilingRows& operator=(const TilingRows&) = delete;

  uint32_t count() const { return static_cast<uint32_t>(rows_.size()); }
  const opk_tiling_field_v1* const* rows() const { return rows_.data(); }

 private:
  void add_plain(const std::string& op_type);

  std::deque<std::string> names_;
  std::deque<opk_tiling_field_v1> fields_;
  std::vector<const opk_tiling_field_v1*> rows_;
};

}  // namespace opkit_host

#endif  // OPKIT_HOST_TILING_ROWS_H_
