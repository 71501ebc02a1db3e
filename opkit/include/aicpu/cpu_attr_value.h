// aicpu::AttrValue ("AI CPU API", Class AttrValue): an attribute of the call, with its default
// where the caller gave none. Asked for another type than its own it answers an empty value.
#ifndef OPKIT_INCLUDE_AICPU_CPU_ATTR_VALUE_H_
#define OPKIT_INCLUDE_AICPU_CPU_ATTR_VALUE_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace aicpu {

class AttrValue {
 public:
  AttrValue(std::vector<int64_t> ints, std::vector<float> floats, std::vector<std::string> texts)
      : ints_(std::move(ints)), floats_(std::move(floats)), texts_(std::move(texts)) {}

  int64_t GetInt() const { return first(ints_); }
  bool GetBool() const { return first(ints_) != 0; }
  float GetFloat() const { return first(floats_); }
  std::string GetString() const { return first(texts_); }

  std::vector<int64_t> GetListInt() const { return ints_; }
  std::vector<bool> GetListBool() const { return {ints_.begin(), ints_.end()}; }
  std::vector<float> GetListFloat() const { return floats_; }
  std::vector<std::string> GetListString() const { return texts_; }
  int32_t ListIntSize() const { return static_cast<int32_t>(ints_.size()); }
  int32_t ListBoolSize() const { return static_cast<int32_t>(ints_.size()); }
  int32_t ListFloatSize() const { return static_cast<int32_t>(floats_.size()); }
  int32_t ListStringSize() const { return static_cast<int32_t>(texts_.size()); }

 private:
  template <typename T>
  static T first(const std::vector<T>& values) {
    return values.empty() ? T() : values[0];
  }

  std::vector<int64_t> ints_;  // bools, too
  std::vector<float> floats_;
  std::vector<std::string> texts_;
};

}  // namespace aicpu

#endif  // OPKIT_INCLUDE_AICPU_CPU_ATTR_VALUE_H_
