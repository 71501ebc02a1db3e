// NumPy array files: .npy versions 1, 2 and 3. The bytes are untrusted: every length is checked
// against the bytes that are there before anything is allocated.
//
// What the format cannot say, opkit says like this:
// - bfloat16 is written with the descr '<V2' (what NumPy writes for such an extension type). '<V2',
//   '|V2' and 'bfloat16' are read as bfloat16. A file of raw bits ('<u2') is read as bfloat16 when
//   the caller says so with NpyOptions::as.
// - int4 is written as '|i1', one element per byte; NpyOptions::as = kInt4 reads it back and
// refuses
//   values outside -8..7.
// Elements are little-endian; a big-endian file is refused.
#ifndef OPKIT_BASE_NPY_H_
#define OPKIT_BASE_NPY_H_

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "opkit/base/status.h"
#include "opkit/base/tensor.h"

namespace opkit {

struct NpyOptions {
  // The type that the file must have, or one that NumPy has no name for, of which the file has the
  // bits: words of 16 bits as bfloat16, int8 as int4. Never a numeric conversion.
  std::optional<DType> as;
  // Accepts Fortran order by reordering the elements; otherwise it is an error.
  bool convert_fortran_order = false;
};

// `name` becomes the tensor's name and is used in errors.
Result<Tensor> parse_npy(std::string_view bytes, std::string name, const NpyOptions& options = {});
// Version 1.0, C order; deterministic.
Result<std::string> encode_npy(const Tensor& tensor);

// The tensor's name is the file's stem.
Result<Tensor> load_npy(const std::filesystem::path& path, const NpyOptions& options = {});
Status save_npy(const std::filesystem::path& path, const Tensor& tensor);

}  // namespace opkit

#endif  // OPKIT_BASE_NPY_H_
