// NumPy archives: .npz, a zip whose members are .npy files. The bytes are untrusted; libzip stays
// in npz.cpp.
#ifndef OPKIT_BASE_NPZ_H_
#define OPKIT_BASE_NPZ_H_

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "opkit/base/npy.h"

namespace opkit {

// Bounds on what is read: members, and their total unpacked bytes (against zip bombs).
inline constexpr uint64_t kMaxNpzMembers = 4096;
inline constexpr uint64_t kMaxNpzBytes = uint64_t{1} << 31;

// Tensors in the archive's order, named for their members without ".npy". A member that is not
// .npy, two members of one name and an inconsistent archive are errors.
Result<std::vector<Tensor>> parse_npz(std::string_view bytes, std::string name,
                                      const NpyOptions& options = {});
// Members are stored uncompressed with a fixed time stamp, so equal tensors give equal bytes.
// Names must be unique, not empty and free of '\0'.
Result<std::string> encode_npz(std::span<const Tensor> tensors);

Result<std::vector<Tensor>> load_npz(const std::filesystem::path& path,
                                     const NpyOptions& options = {});
Status save_npz(const std::filesystem::path& path, std::span<const Tensor> tensors);

}  // namespace opkit

#endif  // OPKIT_BASE_NPZ_H_
