// Just enough of the .npy format for expectations: little-endian float32 (and float16 to write),
// version 1.0. Shares nothing with opkit.
#ifndef OPKIT_TESTS_E2E_NPY_H_
#define OPKIT_TESTS_E2E_NPY_H_

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace opkit::e2e {

// shape: "37," or "64, 48".
inline std::string npy_header(const std::string& descr, const std::string& shape) {
  std::string header =
      "{'descr': '" + descr + "', 'fortran_order': False, 'shape': (" + shape + "), }";
  constexpr size_t kPrefix = 10;
  while ((kPrefix + header.size() + 1) % 64 != 0) header += ' ';
  header += '\n';
  std::string bytes("\x93NUMPY\x01\x00", 8);
  bytes += static_cast<char>(header.size() & 0xff);
  bytes += static_cast<char>(header.size() >> 8);
  return bytes + header;
}

inline std::string float_npy(const std::vector<float>& values, std::string shape = {}) {
  if (shape.empty()) shape = std::to_string(values.size()) + ",";
  std::string bytes = npy_header("<f4", shape);
  bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
  return bytes;
}

inline std::string int64_npy(const std::vector<int64_t>& values) {
  std::string bytes = npy_header("<i8", std::to_string(values.size()) + ",");
  bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(int64_t));
  return bytes;
}

// Writes values that float16 holds exactly, without subnormal ones.
inline std::string half_npy(const std::vector<float>& values, const std::string& shape) {
  std::string bytes = npy_header("<f2", shape);
  for (const float value : values) {
    uint32_t word;
    std::memcpy(&word, &value, sizeof word);
    const uint32_t sign = word >> 16 & 0x8000, exponent = (word >> 23 & 0xff) - 127 + 15;
    const uint32_t half = value == 0 ? sign : sign | exponent << 10 | (word >> 13 & 0x3ff);
    bytes += static_cast<char>(half & 0xff);
    bytes += static_cast<char>(half >> 8);
  }
  return bytes;
}

inline std::vector<float> floats_of(const std::string& npy) {
  if (npy.size() < 10 || npy.find("'<f4'") == std::string::npos) return {};
  const size_t start =
      10 + static_cast<unsigned char>(npy[8]) + 256u * static_cast<unsigned char>(npy[9]);
  std::vector<float> values((npy.size() - start) / sizeof(float));
  std::memcpy(values.data(), npy.data() + start, values.size() * sizeof(float));
  return values;
}

}  // namespace opkit::e2e

#endif  // OPKIT_TESTS_E2E_NPY_H_
