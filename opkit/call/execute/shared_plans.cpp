#include "opkit/call/execute/shared_plans.h"

#include <cstring>
#include <type_traits>
#include <vector>

namespace opkit {
namespace {

// Writes values so that equal bytes mean equal values.
class KeyWriter {
 public:
  void add_bytes(const void* bytes, size_t count) {
    add(count);
    key_.append(static_cast<const char*>(bytes), count);
  }
  void add(const std::string& text) { add_bytes(text.data(), text.size()); }
  template <typename T>
  requires(std::is_arithmetic_v<T> || std::is_enum_v<T>) void add(T value) {
    char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    key_.append(bytes, sizeof(T));
  }
  template <typename T>
  void add(const std::vector<T>& list) {
    add(list.size());
    for (const T& one : list) add(one);
  }
  void add(const Shape& shape) { add(shape.dims()); }
  void add(const InputFacts& input) {
    add(input.desc.dtype);
    add(input.desc.format);
    add(input.desc.shape);
    add_bytes(input.value.data(), input.value.size());
  }
  void add(const AttrValues& attrs) {
    for (const auto& [name, value] : attrs) {
      add(name);
      add(value.index());
      std::visit([this](const auto& held) { add(held); }, value);
    }
  }
  std::string take() { return std::move(key_); }

 private:
  std::string key_;
};

}  // namespace

std::string SharedPlans::key_of(const std::string& soc, const CallFacts& facts) {
  KeyWriter key;
  key.add(soc);
  key.add(facts.inputs);
  key.add(facts.output_shapes);
  key.add(facts.attrs);
  return key.take();
}

std::shared_ptr<const CallPlan> SharedPlans::find(const std::string& key) const {
  const auto found = plans_.find(key);
  return found == plans_.end() ? nullptr : found->second.lock();
}

void SharedPlans::add(const std::string& key, const std::shared_ptr<const CallPlan>& plan) {
  plans_[key] = plan;
  if (plans_.size() <= most_) return;
  std::erase_if(plans_, [](const auto& one) { return one.second.expired(); });
  most_ = 2 * plans_.size() + 64;
}

}  // namespace opkit
