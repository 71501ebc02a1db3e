#include "opkit/model/export/texts.h"

namespace opkit::model_export {

const char* const kModelHeader = R"source(// The model: arrays in, arrays out.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "npy.h"

namespace onednn {
class Plan;
}

struct End {
  std::string name;
  Form form;
};
const std::vector<End>& model_inputs();
const std::vector<End>& model_outputs();

class Model {
 public:
  // Reads the weights; with `loops`, oneDNN is not used where the
  // project was built with it. Throws std::runtime_error where
  // the weights are not those of this model.
  explicit Model(const std::string& weights, bool loops = false);
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  // Takes elements of each input as its form says, and gives
  // those of the outputs.
  std::vector<std::vector<char>> run(const std::vector<std::vector<char>>& inputs);

 private:
  const std::vector<char> weights_;
  std::vector<char> block_;
  std::shared_ptr<onednn::Plan> plan_;  // null: loops
};
)source";

const char* const kModelBegin = R"source(#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "elements.h"
#include "halves.h"
#include "model.h"
#include "products.h"
#include "rows.h"
#ifdef MODEL_ONEDNN
#include "onednn.h"
#endif

namespace {

using namespace loops;

struct Memory {
  const char* constants;
  char* bytes;

  template <class T>
  const T* weights(size_t offset) const {
    return reinterpret_cast<const T*>(constants + offset);
  }
  template <class T>
  T* block(size_t offset) const {
    return reinterpret_cast<T*>(bytes + offset);
  }
};

std::vector<char> weights_of(const std::string& file, size_t bytes, uint64_t digest) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw std::runtime_error(file + " cannot be read");
  std::vector<char> all{std::istreambuf_iterator<char>(in), {}};
  uint64_t found = 14695981039346656037u;
  for (const char c : all) found = (found ^ static_cast<unsigned char>(c)) * 1099511628211u;
  if (all.size() != bytes || found != digest)
    throw std::runtime_error(file + " has not the weights of this model");
  return all;
}

template <class T>
void take_in(int64_t count, const std::vector<char>& from, T* to) {
  if (from.size() != static_cast<size_t>(count) * sizeof(T))
    throw std::runtime_error("an input has another number of elements");
  if (count > 0) std::memcpy(to, from.data(), from.size());
}
template <class T>
std::vector<char> given_out(int64_t count, const T* from) {
  const auto* const bytes = reinterpret_cast<const char*>(from);
  return std::vector<char>(bytes, bytes + static_cast<size_t>(count) * sizeof(T));
}

// 16 bits in files are floats in memory.
template <class Turn>
void take_in_bits(int64_t count, const std::vector<char>& from, float* to, Turn turn) {
  std::vector<uint16_t> bits(static_cast<size_t>(count));
  take_in(count, from, bits.data());
  for (int64_t i = 0; i < count; ++i) to[i] = turn(bits[static_cast<size_t>(i)]);
}
template <class Turn>
std::vector<char> given_out_bits(int64_t count, const float* from, Turn turn) {
  std::vector<uint16_t> bits(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i) bits[static_cast<size_t>(i)] = turn(from[i]);
  return given_out(count, bits.data());
}
[[maybe_unused]] void take_in_float16(int64_t count, const std::vector<char>& from, float* to) {
  take_in_bits(count, from, to, from_half);
}
[[maybe_unused]] std::vector<char> given_out_float16(int64_t count, const float* from) {
  return given_out_bits(count, from, to_half);
}
[[maybe_unused]] void take_in_bfloat16(int64_t count, const std::vector<char>& from, float* to) {
  take_in_bits(count, from, to, [](uint16_t bits) {
    const uint32_t wide = uint32_t{bits} << 16;
    float v;
    std::memcpy(&v, &wide, 4);
    return v;
  });
}
[[maybe_unused]] std::vector<char> given_out_bfloat16(int64_t count, const float* from) {
  return given_out_bits(count, from, [](float v) {
    uint32_t wide;
    std::memcpy(&wide, &v, 4);
    return static_cast<uint16_t>(wide >> 16);
  });
}
)source";

}  // namespace opkit::model_export
