// Just enough of the .npy format for expectations: little-endian float32, version 1.0. Shares
// nothing with opkit.
#ifndef OPKIT_TESTS_E2E_NPY_H_
#define OPKIT_TESTS_E2E_NPY_H_

#include <cstring>
#include <string>
#include <vector>

namespace opkit::e2e {

inline std::string float_npy(const std::vector<float>& values) {
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (" +
                       std::to_string(values.size()) + ",), }";
  constexpr size_t kPrefix = 10;
  while ((kPrefix + header.size() + 1) % 64 != 0) header += ' ';
  header += '\n';
  std::string bytes("\x93NUMPY\x01\x00", 8);
  bytes += static_cast<char>(header.size() & 0xff);
  bytes += static_cast<char>(header.size() >> 8);
  bytes += header;
  bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
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
