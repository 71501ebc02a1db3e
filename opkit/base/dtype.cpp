#include "opkit/base/dtype.h"

#include <array>
#include <initializer_list>

namespace opkit {
namespace {

struct Row {
  DType dtype;
  int bits;
  std::string_view name, kernel, graph;
  std::initializer_list<std::string_view> aliases;
};

const std::array<Row, 14> kRows = {{
    {DType::kFloat32, 32, "float32", "float", "DT_FLOAT", {"fp32", "f32", "float32_t"}},
    {DType::kFloat16, 16, "float16", "half", "DT_FLOAT16", {"fp16", "f16", "float16_t"}},
    {DType::kBFloat16, 16, "bfloat16", "bfloat16_t", "DT_BF16", {"bf16"}},
    {DType::kFloat64, 64, "float64", "double", "DT_DOUBLE", {"fp64", "f64"}},
    {DType::kInt4, 4, "int4", "int4b_t", "DT_INT4", {"i4"}},
    {DType::kInt8, 8, "int8", "int8_t", "DT_INT8", {"i8"}},
    {DType::kInt16, 16, "int16", "int16_t", "DT_INT16", {"i16"}},
    {DType::kInt32, 32, "int32", "int32_t", "DT_INT32", {"i32", "int"}},
    {DType::kInt64, 64, "int64", "int64_t", "DT_INT64", {"i64"}},
    {DType::kUInt8, 8, "uint8", "uint8_t", "DT_UINT8", {"u8"}},
    {DType::kUInt16, 16, "uint16", "uint16_t", "DT_UINT16", {"u16"}},
    {DType::kUInt32, 32, "uint32", "uint32_t", "DT_UINT32", {"u32"}},
    {DType::kUInt64, 64, "uint64", "uint64_t", "DT_UINT64", {"u64"}},
    {DType::kBool, 8, "bool", "bool", "DT_BOOL", {}},
}};

const Row* find(DType dtype) {
  for (const Row& row : kRows) {
    if (row.dtype == dtype) return &row;
  }
  return nullptr;
}

bool matches(const Row& row, std::string_view name) {
  if (name == row.name || name == row.kernel || name == row.graph) return true;
  for (std::string_view alias : row.aliases) {
    if (name == alias) return true;
  }
  return false;
}

}  // namespace

int bits_of(DType dtype) {
  const Row* row = find(dtype);
  return row ? row->bits : 0;
}

uint64_t bytes_of(DType dtype, uint64_t elements) {
  const uint64_t bits = static_cast<uint64_t>(bits_of(dtype));
  return bits >= 8 ? elements * (bits / 8) : (elements * bits + 7) / 8;
}

std::string_view name_of(DType dtype) {
  const Row* row = find(dtype);
  return row ? row->name : "undefined";
}

std::string_view kernel_name_of(DType dtype) {
  const Row* row = find(dtype);
  return row ? row->kernel : "void";
}

std::string_view graph_name_of(DType dtype) {
  const Row* row = find(dtype);
  return row ? row->graph : "DT_UNDEFINED";
}

std::optional<DType> dtype_from_name(std::string_view name) {
  for (const Row& row : kRows) {
    if (matches(row, name)) return row.dtype;
  }
  return std::nullopt;
}

bool is_float(DType dtype) {
  return dtype == DType::kFloat32 || dtype == DType::kFloat16 || dtype == DType::kBFloat16 ||
         dtype == DType::kFloat64;
}

bool is_signed(DType dtype) {
  const std::string_view name = name_of(dtype);
  return is_float(dtype) || name.substr(0, 3) == "int";
}

const std::vector<DType>& all_dtypes() {
  static const std::vector<DType> all = [] {
    std::vector<DType> list;
    for (const Row& row : kRows) list.push_back(row.dtype);
    return list;
  }();
  return all;
}

}  // namespace opkit
