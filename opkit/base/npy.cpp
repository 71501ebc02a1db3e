#include "opkit/base/npy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "opkit/base/file.h"
#include "opkit/base/open_file.h"
#include "opkit/base/regular_file.h"
#include "opkit/base/write_pieces.h"

namespace opkit {
namespace {

constexpr std::string_view kMagic{"\x93NUMPY", 6};
constexpr size_t kMaxHeader = 65536;  // bytes; no array of at most 64 dims needs more
constexpr size_t kBeforeHeader = 12;  // bytes, at most
constexpr size_t kMaxRank = 64;
constexpr size_t kMaxFile = size_t{1} << 36;
constexpr size_t kAlignment = 64;  // aligns the data in the file, bytes

struct Descr {
  std::string_view text;
  DType dtype;
};

constexpr std::array kDescrs = {
    Descr{"<f4", DType::kFloat32}, Descr{"<f2", DType::kFloat16}, Descr{"<f8", DType::kFloat64},
    Descr{"|i1", DType::kInt8},    Descr{"<i2", DType::kInt16},   Descr{"<i4", DType::kInt32},
    Descr{"<i8", DType::kInt64},   Descr{"|u1", DType::kUInt8},   Descr{"<u2", DType::kUInt16},
    Descr{"<u4", DType::kUInt32},  Descr{"<u8", DType::kUInt64},  Descr{"|b1", DType::kBool},
    Descr{"<V2", DType::kBFloat16}};

struct Header {
  DType dtype = DType::kUndefined;
  bool fortran_order = false;
  Shape shape;
};

Error npy_error(const char* code, std::string_view name, std::string message, std::string action) {
  return Error(code, fmt::format("{}: {}", name, message), std::move(action));
}

// A reader of the one form of Python dictionary that NumPy writes.
class HeaderParser {
 public:
  HeaderParser(std::string_view text, std::string_view name) : text_(text), name_(name) {}

  Result<Header> parse() {
    OPKIT_CHECK(expect('{'));
    for (skip(); peek() != '}'; skip()) {
      OPKIT_CHECK(read_entry());
      skip();
      if (peek() != ',') break;
      ++position_;
    }
    OPKIT_CHECK(expect('}'));
    skip();
    if (position_ != text_.size()) return malformed("text after the closing '}'");
    if (!has_descr_ || !has_order_ || !has_shape_) {
      return malformed("descr, fortran_order and shape must all be present");
    }
    return header_;
  }

 private:
  char peek() const { return position_ < text_.size() ? text_[position_] : '\0'; }
  void skip() {
    while (peek() == ' ' || peek() == '\n') ++position_;
  }

  Error malformed(std::string_view what) const {
    return npy_error("OPK-NPY-004", name_,
                     fmt::format("malformed header at byte {}: {}", position_, what),
                     "write the file with numpy.save");
  }

  Status expect(char wanted) {
    skip();
    if (peek() != wanted) return malformed(fmt::format("'{}' expected", wanted));
    ++position_;
    return {};
  }

  Result<std::string_view> read_string() {
    skip();
    const char quote = peek();
    if (quote != '\'' && quote != '"') return malformed("a quoted string expected");
    const size_t end = text_.find(quote, position_ + 1);
    if (end == std::string_view::npos) return malformed("a string without its end");
    const std::string_view value = text_.substr(position_ + 1, end - position_ - 1);
    position_ = end + 1;
    return value;
  }

  Status read_entry() {
    OPKIT_TRY(const std::string_view key, read_string());
    OPKIT_CHECK(expect(':'));
    if (key == "descr") return once(has_descr_, key, &HeaderParser::read_descr);
    if (key == "fortran_order") return once(has_order_, key, &HeaderParser::read_order);
    if (key == "shape") return once(has_shape_, key, &HeaderParser::read_shape);
    return malformed("a key other than descr, fortran_order and shape");
  }

  Status once(bool& seen, std::string_view key, Status (HeaderParser::*read)()) {
    if (seen) return malformed(fmt::format("'{}' twice", key));
    seen = true;
    skip();
    return (this->*read)();
  }

  Status read_descr() {
    if (peek() == '[') return unsupported("a structured type");
    OPKIT_TRY(const std::string_view text, read_string());
    if (text == "|V2" || text == "bfloat16") return set_dtype(DType::kBFloat16);
    for (const Descr& descr : kDescrs) {
      if (text == descr.text) return set_dtype(descr.dtype);
    }
    if (text.starts_with('>')) return unsupported("big-endian elements");
    return unsupported(fmt::format("descr '{}'", printable(text)));
  }

  Status set_dtype(DType dtype) { return header_.dtype = dtype, Status(); }

  Error unsupported(std::string_view what) const {
    return npy_error("OPK-NPY-005", name_, fmt::format("{} is not supported", what),
                     "convert with astype() to a little-endian float, int, uint or bool type");
  }

  static std::string printable(std::string_view text) {
    std::string out;
    for (char c : text.substr(0, 32)) out += c >= ' ' && c <= '~' ? c : '?';
    return out;
  }

  Status read_order() {
    for (const auto& [word, value] : {std::pair{"True", true}, std::pair{"False", false}}) {
      if (text_.substr(position_).starts_with(word)) {
        position_ += std::strlen(word);
        header_.fortran_order = value;
        return {};
      }
    }
    return malformed("True or False expected");
  }

  Status read_shape() {
    OPKIT_CHECK(expect('('));
    std::vector<int64_t> dims;
    bool comma = true;
    for (skip(); peek() != ')'; skip()) {
      if (!comma) return malformed("',' expected between dims");
      OPKIT_TRY(const int64_t dim, read_dim());
      dims.push_back(dim);
      if (dims.size() > kMaxRank) return malformed(fmt::format("more than {} dims", kMaxRank));
      skip();
      comma = peek() == ',';
      if (comma) ++position_;
    }
    if (dims.size() == 1 && !comma) return malformed("a tuple of one dim needs a comma");
    header_.shape = Shape(std::move(dims));
    return expect(')');
  }

  Result<int64_t> read_dim() {
    if (peek() < '0' || peek() > '9') return malformed("a dim expected");
    int64_t value = 0;
    for (; peek() >= '0' && peek() <= '9'; ++position_) {
      if (value > (INT64_MAX - 9) / 10) return malformed("a dim beyond 2^63");
      value = value * 10 + (peek() - '0');
    }
    return value;
  }

  std::string_view text_;
  std::string_view name_;
  size_t position_ = 0;
  Header header_;
  bool has_descr_ = false, has_order_ = false, has_shape_ = false;
};

struct Parts {
  std::string_view header;
  std::string_view data;
};

uint64_t little_endian(std::string_view bytes) {
  uint64_t value = 0;
  for (size_t i = bytes.size(); i-- > 0;) value = value << 8 | static_cast<uint8_t>(bytes[i]);
  return value;
}

Result<Parts> split(std::string_view bytes, std::string_view name) {
  if (bytes.size() < 8 || bytes.substr(0, 6) != kMagic) {
    return npy_error("OPK-NPY-001", name, "not a NumPy array file",
                     "give a file written by numpy.save");
  }
  const int major = static_cast<uint8_t>(bytes[6]), minor = static_cast<uint8_t>(bytes[7]);
  if (major < 1 || major > 3 || minor != 0) {
    return npy_error("OPK-NPY-002", name,
                     fmt::format("version {}.{} of the format is unknown", major, minor),
                     "write version 1.0, 2.0 or 3.0");
  }
  const size_t width = major == 1 ? 2 : 4;
  const size_t start = 8 + width;
  const uint64_t length = bytes.size() < start ? 0 : little_endian(bytes.substr(8, width));
  if (bytes.size() < start || length > bytes.size() - start || length > kMaxHeader) {
    return npy_error("OPK-NPY-003", name,
                     fmt::format("a header of {} bytes in a file of {} (limit {})", length,
                                 bytes.size(), kMaxHeader),
                     "check that the file is complete");
  }
  return Parts{bytes.substr(start, length), bytes.substr(start + length)};
}

Status check_size(const Header& header, size_t data, std::string_view name) {
  OPKIT_TRY(const int64_t elements, header.shape.checked_elements());
  const uint64_t element = bytes_of(header.dtype, 1);
  if (static_cast<uint64_t>(elements) == data / element && data % element == 0) return {};
  return npy_error(
      "OPK-NPY-006", name,
      fmt::format("{} {} needs {} elements of {} bytes; the file has {} bytes of data",
                  name_of(header.dtype), header.shape.to_string(), elements, element, data),
      "check that the file is complete");
}

std::string_view bytes_in(const Tensor& tensor) {
  return {reinterpret_cast<const char*>(tensor.data()), tensor.size_bytes()};
}

Status check_bools(std::string_view data, std::string_view name) {
  for (size_t i = 0; i < data.size(); ++i) {
    if (static_cast<uint8_t>(data[i]) > 1) {
      return npy_error("OPK-NPY-008", name,
                       fmt::format("bool element {} has the byte {}", i,
                                   static_cast<int>(static_cast<uint8_t>(data[i]))),
                       "store 0 or 1, or read it as uint8");
    }
  }
  return {};
}

// Copies Fortran-ordered elements into row-major order.
void copy_reordered(std::string_view data, Tensor& out) {
  const std::vector<int64_t>& dims = out.shape().dims();
  const size_t size = bytes_of(out.dtype(), 1);
  std::vector<int64_t> index(dims.size(), 0);
  for (int64_t i = 0; i < out.elements(); ++i) {
    int64_t source = 0;
    for (size_t d = dims.size(); d-- > 0;) source = source * dims[d] + index[d];
    std::memcpy(out.data() + i * size, data.data() + source * size, size);
    for (size_t d = dims.size(); d-- > 0 && ++index[d] == dims[d];) index[d] = 0;
  }
}

Result<Tensor> packed_int4(const Tensor& bytes, std::string_view name) {
  Tensor out(DType::kInt4, bytes.shape(), bytes.desc().name);
  for (int64_t i = 0; i < bytes.elements(); ++i) {
    const double value = bytes.at(i);
    if (value < -8 || value > 7) {
      return npy_error("OPK-NPY-008", name,
                       fmt::format("element {} is {}, outside int4's -8..7", i, value),
                       "read it as int8");
    }
    out.set(i, value);
  }
  return out;
}

// NumPy has no name for it: files hold its bits as words.
bool lacks_name(DType dtype) {
  return dtype == DType::kBFloat16 ||
         std::none_of(kDescrs.begin(), kDescrs.end(),
                      [&](const Descr& one) { return one.dtype == dtype; });
}

Result<Tensor> reinterpreted(Tensor tensor, DType as, std::string_view name) {
  const DType is = tensor.dtype();
  if (as == is) return tensor;
  if (as == DType::kInt4 && is == DType::kInt8) return packed_int4(tensor, name);
  const bool words = !is_float(is) && is != DType::kBool && bits_of(as) == bits_of(is);
  if (!words || !lacks_name(as)) {
    const std::string cure =
        lacks_name(as) ? fmt::format("store the bits of {} as words of {} bits", name_of(as),
                                     as == DType::kInt4 ? 8 : bits_of(as))
                       : fmt::format("numpy.save(\"{0}\", numpy.load(\"{0}\").astype(\"{1}\"))",
                                     name, name_of(as));
    return npy_error(
        "OPK-NPY-009", name,
        fmt::format("the file has {}, which is not read as {}", name_of(is), name_of(as)), cure);
  }
  tensor.desc().dtype = as;
  return tensor;
}

Status check_order(const Header& header, std::string_view name, const NpyOptions& options) {
  if (!header.fortran_order || options.convert_fortran_order || header.shape.rank() <= 1) return {};
  return npy_error(
      "OPK-NPY-007", name, "the array is in Fortran order",
      fmt::format("numpy.save(\"{0}\", numpy.ascontiguousarray(numpy.load(\"{0}\")))", name));
}

// Elements in their order, as the file has them.
Result<Tensor> finished(Tensor tensor, std::string_view name, const NpyOptions& options) {
  const DType as = options.as.value_or(tensor.dtype());
  if (tensor.dtype() == DType::kBool && as == DType::kBool)
    OPKIT_CHECK(check_bools(bytes_in(tensor), name));
  return reinterpreted(std::move(tensor), as, name);
}

// Elements go straight into the tensor; only Fortran order needs the file's bytes beside it.
Result<Tensor> read_npy(const OpenFile& file, const std::string& name, const NpyOptions& options) {
  std::string head(std::min<uint64_t>(file.size(), kMaxHeader + kBeforeHeader), '\0');
  OPKIT_CHECK(file.read(0, std::as_writable_bytes(std::span(head))));
  OPKIT_TRY(const Parts parts, split(head, name));
  OPKIT_TRY(const Header header, HeaderParser(parts.header, name).parse());
  const auto data_at = static_cast<uint64_t>(parts.data.data() - head.data());
  OPKIT_CHECK(check_size(header, file.size() - data_at, name));
  OPKIT_CHECK(check_order(header, name, options));
  if (header.fortran_order) {
    std::string bytes(file.size(), '\0');
    OPKIT_CHECK(file.read(0, std::as_writable_bytes(std::span(bytes))));
    return parse_npy(bytes, name, options);
  }
  Tensor tensor(header.dtype, header.shape, name);
  OPKIT_CHECK(file.read(data_at, tensor.bytes()));
  return finished(std::move(tensor), name, options);
}

std::string shape_text(const Shape& shape) {
  std::string text = "(";
  for (size_t i = 0; i < shape.rank(); ++i) {
    text += fmt::format("{}{}", i == 0 ? "" : ", ", shape[i]);
  }
  return text + (shape.rank() == 1 ? ",)" : ")");
}

Tensor unpacked_int4(const Tensor& tensor) {
  Tensor bytes(DType::kInt8, tensor.shape());
  for (int64_t i = 0; i < tensor.elements(); ++i) bytes.set(i, tensor.at(i));
  return bytes;
}

std::string encoded_header(std::string_view descr, const Shape& shape) {
  std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", descr,
                                 shape_text(shape));
  const size_t unpadded = kMagic.size() + 4 + text.size() + 1;
  text.append((kAlignment - unpadded % kAlignment) % kAlignment, ' ');
  text += '\n';
  std::string out(kMagic);
  out += {'\x01', '\x00'};
  out += static_cast<char>(text.size() & 0xff);
  out += static_cast<char>(text.size() >> 8);
  return out + text;
}

Result<std::string_view> descr_of(DType dtype) {
  for (const Descr& descr : kDescrs) {
    if (descr.dtype == dtype) return descr.text;
  }
  return Error("OPK-NPY-010", "a tensor of undefined dtype cannot be written",
               "give the tensor a dtype");
}

}  // namespace

Result<Tensor> parse_npy(std::string_view bytes, std::string name, const NpyOptions& options) {
  OPKIT_TRY(const Parts parts, split(bytes, name));
  OPKIT_TRY(const Header header, HeaderParser(parts.header, name).parse());
  OPKIT_CHECK(check_size(header, parts.data.size(), name));
  OPKIT_CHECK(check_order(header, name, options));
  Tensor tensor(header.dtype, header.shape, name);
  if (header.fortran_order) {
    copy_reordered(parts.data, tensor);
  } else if (!parts.data.empty()) {
    std::memcpy(tensor.data(), parts.data.data(), parts.data.size());
  }
  return finished(std::move(tensor), name, options);
}

Result<std::string> encode_npy(const Tensor& tensor) {
  if (tensor.dtype() == DType::kInt4) return encode_npy(unpacked_int4(tensor));
  OPKIT_TRY(const std::string_view descr, descr_of(tensor.dtype()));
  std::string out = encoded_header(descr, tensor.shape());
  return out.append(bytes_in(tensor));
}

Result<Tensor> load_npy(const std::filesystem::path& path, const NpyOptions& options) {
  const std::string name = path.filename().string();
  OPKIT_CHECK(check_no_device(path));
  OPKIT_TRY(const OpenFile file, OpenFile::open(path));
  Tensor tensor;
  if (file.is_regular() && file.size() <= kMaxFile) {
    OPKIT_TRY(tensor, read_npy(file, name, options));
  } else {
    OPKIT_TRY(const std::string bytes, read_file(path, kMaxFile));
    OPKIT_TRY(tensor, parse_npy(bytes, name, options));
  }
  tensor.desc().name = path.stem().string();
  return tensor;
}

Status save_npy(const std::filesystem::path& path, const Tensor& tensor) {
  if (tensor.dtype() == DType::kInt4) return save_npy(path, unpacked_int4(tensor));
  OPKIT_TRY(const std::string_view descr, descr_of(tensor.dtype()));
  const std::string header = encoded_header(descr, tensor.shape());
  return write_pieces(path, std::array{std::string_view(header), bytes_in(tensor)});
}

}  // namespace opkit
