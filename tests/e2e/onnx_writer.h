// Writes small ONNX models, field by field as the format's definition numbers them.
#ifndef OPKIT_TESTS_E2E_ONNX_WRITER_H_
#define OPKIT_TESTS_E2E_ONNX_WRITER_H_

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace opkit::e2e {

// From -1/2 to 1/2 in steps of 1/16, mixed: exact in every float, and so are their sums.
inline std::vector<float> sixteenths(size_t count, int seed) {
  std::vector<float> all(count);
  for (size_t i = 0; i < count; ++i)
    all[i] = static_cast<float>(static_cast<int>(i * 7 + static_cast<size_t>(seed)) % 17 - 8) / 16;
  return all;
}

inline std::string varint(uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(value | 0x80);
  return bytes += static_cast<char>(value);
}
inline std::string number(int field, uint64_t value) {
  return varint(static_cast<uint64_t>(field) << 3) + varint(value);
}
inline std::string part(int field, const std::string& bytes) {
  return varint(static_cast<uint64_t>(field) << 3 | 2) + varint(bytes.size()) + bytes;
}

class OnnxWriter {
 public:
  void input(const std::string& name, const std::vector<int64_t>& dims) {
    graph_ += part(11, value(name, dims));
  }
  void integers(const std::string& name, const std::vector<int64_t>& dims) {
    graph_ += part(11, value(name, dims, kInt64));
  }
  void output(const std::string& name, const std::vector<int64_t>& dims) {
    graph_ += part(12, value(name, dims));
  }
  void integer_output(const std::string& name, const std::vector<int64_t>& dims) {
    graph_ += part(12, value(name, dims, kInt64));
  }
  void constant(const std::string& name, const std::vector<int64_t>& dims,
                const std::vector<float>& values) {
    add_constant(name, dims, values, kFloat);
  }
  void integer_constant(const std::string& name, const std::vector<int64_t>& dims,
                        const std::vector<int64_t>& values) {
    add_constant(name, dims, values, kInt64);
  }
  // Adds a node. `attribute` names a list of integers; none when the name is empty.
  void node(const std::string& op, const std::vector<std::string>& in, const std::string& out,
            const std::string& attribute = "", const std::vector<int64_t>& integers = {}) {
    node_of(op, in, {out}, attribute, integers);
  }
  // Writes a node of several results; an empty name is one that nobody reads.
  void node_of(const std::string& op, const std::vector<std::string>& in,
               const std::vector<std::string>& out, const std::string& attribute = "",
               const std::vector<int64_t>& integers = {}) {
    std::string node, list;
    for (const std::string& name : in) node += part(1, name);
    for (const std::string& name : out) node += part(2, name);
    node += part(3, out.back() + "_node") + part(4, op);
    for (const int64_t one : integers) list += number(8, static_cast<uint64_t>(one));
    if (!attribute.empty()) node += part(5, part(1, attribute) + list + number(20, kIntegers));
    graph_ += part(1, node);
  }
  // Writes a node with attributes that float_attribute() and its like made.
  void node_with(const std::string& op, const std::vector<std::string>& in, const std::string& out,
                 const std::string& attributes) {
    std::string node;
    for (const std::string& name : in) node += part(1, name);
    graph_ += part(1, node + part(2, out) + part(3, out + "_node") + part(4, op) + attributes);
  }
  static std::string float_attribute(const std::string& name, float value) {
    std::string bytes(sizeof value, '\0');
    std::memcpy(bytes.data(), &value, sizeof value);
    return part(5, part(1, name) + varint(2 << 3 | 5) + bytes + number(20, 1));
  }
  static std::string integer_attribute(const std::string& name, int64_t value) {
    return part(5, part(1, name) + number(3, static_cast<uint64_t>(value)) + number(20, 2));
  }
  static std::string text_attribute(const std::string& name, const std::string& value) {
    return part(5, part(1, name) + part(4, value) + number(20, 3));
  }
  static std::string list_attribute(const std::string& name, const std::vector<int64_t>& values) {
    std::string list;
    for (const int64_t one : values) list += number(8, static_cast<uint64_t>(one));
    return part(5, part(1, name) + list + number(20, kIntegers));
  }
  std::string model(uint64_t version = 13) const {
    const std::string opset = part(1, "") + number(2, version);
    return number(1, 7) + part(7, graph_ + part(2, "net")) + part(8, opset);
  }

 private:
  template <typename T>
  void add_constant(const std::string& name, const std::vector<int64_t>& dims,
                    const std::vector<T>& values, uint64_t type) {
    std::string tensor;
    for (const int64_t dim : dims) tensor += number(1, static_cast<uint64_t>(dim));
    tensor += number(2, type) + part(8, name);
    std::string raw(values.size() * sizeof(T), '\0');
    std::memcpy(raw.data(), values.data(), raw.size());
    graph_ += part(5, tensor + part(9, raw));
  }

  static constexpr uint64_t kFloat = 1, kInt64 = 7, kIntegers = 7;
  static std::string value(const std::string& name, const std::vector<int64_t>& dims,
                           uint64_t type = kFloat) {
    std::string shape;
    for (const int64_t dim : dims) shape += part(1, number(1, static_cast<uint64_t>(dim)));
    return part(1, name) + part(2, part(1, number(1, type) + part(2, shape)));
  }
  std::string graph_;
};

}  // namespace opkit::e2e

#endif  // OPKIT_TESTS_E2E_ONNX_WRITER_H_
