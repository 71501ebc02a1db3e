// Runs a model with gears beside models that were compiled for one shape each:
// gears_main batch|image|dims|shapes geared.om static.om...; every output must have the same bytes.
#include <cstring>
#include <memory>
#include <string>

#include "loaded_model.h"
#include "misuse.h"

namespace {

// The first input and output in device memory, with room for a gear's number behind them.
struct Frame {
  Frame(const Model& model, const std::vector<float>& numbers)
      : x(numbers), y(std::vector<float>(aclmdlGetOutputSizeByIndex(model.desc, 0) / 4, -1)) {
    in.Add(x.Get(), numbers.size() * 4);
    out.Add(y.Get(), aclmdlGetOutputSizeByIndex(model.desc, 0));
  }
  DeviceArray<float> x, y;
  DeviceArray<int64_t> gear{std::vector<int64_t>(8)};
  Dataset in, out;
};

aclmdlIODims InputDims(const Model& model) {
  aclmdlIODims dims;
  Check(aclmdlGetInputDims(model.desc, 0, &dims), "aclmdlGetInputDims");
  return dims;
}

size_t GearInput(const Model& model) {
  size_t index = 0;
  Check(aclmdlGetInputIndexByName(model.desc, ACL_DYNAMIC_TENSOR_NAME, &index), "the gear's input");
  return index;
}

aclError Choose(const std::string& kind, const Model& model, Frame& frame,
                const aclmdlIODims& dims) {
  if (kind == "shapes") {
    aclTensorDesc* const desc =
        aclCreateTensorDesc(ACL_FLOAT, static_cast<int>(dims.dimCount), dims.dims, ACL_FORMAT_ND);
    const aclError code = aclmdlSetDatasetTensorDesc(frame.in.set, desc, 0);
    aclDestroyTensorDesc(desc);
    return code;
  }
  const size_t index = GearInput(model);
  if (kind == "batch")
    return aclmdlSetDynamicBatchSize(model.id, frame.in.set, index,
                                     static_cast<uint64_t>(dims.dims[0]));
  if (kind == "image")
    return aclmdlSetDynamicHWSize(model.id, frame.in.set, index,
                                  static_cast<uint64_t>(dims.dims[2]),
                                  static_cast<uint64_t>(dims.dims[3]));
  return aclmdlSetInputDynamicDims(model.id, frame.in.set, index, &dims);
}

std::vector<float> Numbers(size_t count) {
  std::vector<float> all(count);
  for (size_t i = 0; i < count; ++i)
    all[i] = static_cast<float>(static_cast<int>(i * 7 + 3) % 17 - 8) / 8;
  return all;
}

size_t Elements(const aclmdlIODims& dims) {
  size_t elements = 1;
  for (size_t d = 0; d < dims.dimCount; ++d) elements *= static_cast<size_t>(dims.dims[d]);
  return elements;
}

// Tells whether both models give the same bytes for the static model's shape.
bool Same(const std::string& kind, const Model& geared, const char* path, aclrtStream stream) {
  const Model fixed(path);
  const aclmdlIODims dims = InputDims(fixed);
  const std::vector<float> numbers = Numbers(Elements(dims));
  Frame one(fixed, numbers), other(geared, numbers);
  Check(aclmdlExecute(fixed.id, one.in.set, one.out.set), "aclmdlExecute, static");
  if (kind != "shapes") other.in.Add(other.gear.Get(), 64);
  Check(Choose(kind, geared, other, dims), "choice of the gear");
  if (stream) {
    Check(aclmdlExecuteAsync(geared.id, other.in.set, other.out.set, stream), "aclmdlExecuteAsync");
    Check(aclrtSynchronizeStream(stream), "aclrtSynchronizeStream");
  } else {
    Check(aclmdlExecute(geared.id, other.in.set, other.out.set), "aclmdlExecute, gear");
  }
  const std::vector<float> expected = one.y.Read(), given = other.y.Read();
  aclmdlIODims now, fixed_now;
  Check(aclmdlGetCurOutputDims(fixed.desc, 0, &fixed_now), "aclmdlGetCurOutputDims");
  Check(aclmdlGetCurOutputDims(geared.desc, 0, &now), "aclmdlGetCurOutputDims");
  Must(Elements(now) == Elements(fixed_now), "dims of the gear's output");
  return std::memcmp(expected.data(), given.data(), expected.size() * 4) == 0 && expected[0] != -1;
}

void Describe(const std::string& kind, const Model& model, size_t gears) {
  const aclmdlIODims dims = InputDims(model);
  bool open = false;
  for (size_t d = 0; d < dims.dimCount; ++d) open = open || dims.dims[d] == -1;
  Must(open, "open dims");
  Must(aclmdlGetNumInputs(model.desc) == (kind == "shapes" ? 1u : 2u), "number of inputs");
  aclmdlBatch batch;
  aclmdlHW hw;
  size_t count = 0;
  Check(aclmdlGetDynamicBatch(model.desc, &batch), "aclmdlGetDynamicBatch");
  Check(aclmdlGetDynamicHW(model.desc, static_cast<size_t>(-1), &hw), "aclmdlGetDynamicHW");
  Check(aclmdlGetInputDynamicGearCount(model.desc, static_cast<size_t>(-1), &count), "gear count");
  Must(batch.batchCount == (kind == "batch" ? gears : 0), "batches");
  Must(hw.hwCount == (kind == "image" ? gears : 0), "images");
  Must(count == (kind == "dims" ? gears : 0), "dims");
  if (kind == "batch") Must(batch.batch[1] == 3, "second batch");
  if (kind == "image") Must(hw.hw[1][0] == 12 && hw.hw[1][1] == 10, "second image");
  if (kind != "dims") return;
  std::vector<aclmdlIODims> all(count);
  Check(aclmdlGetInputDynamicDims(model.desc, static_cast<size_t>(-1), all.data(), count), "dims");
  Must(all[1].dimCount == 4 && all[1].dims[0] == 3 && all[1].dims[2] == 12, "second dims");
}

void Refusals(const std::string& kind, const Model& model) {
  Frame frame(model, Numbers(8192));
  aclmdlIODims odd = InputDims(model);
  for (size_t d = 0; d < odd.dimCount; ++d) odd.dims[d] = odd.dims[d] == -1 ? 7 : odd.dims[d];
  if (kind == "shapes") {
    Refused("no shape", aclmdlExecute(model.id, frame.in.set, frame.out.set), 100017,
            "DatasetTensorDesc");
    Check(Choose(kind, model, frame, odd), "description");
    Refused("odd shape", aclmdlExecute(model.id, frame.in.set, frame.out.set), 100017,
            "none of them");
    Refused("kind", aclmdlSetDynamicBatchSize(model.id, frame.in.set, 0, 1), 100019,
            "another kind");
    return;
  }
  Refused("no buffer", Choose(kind, model, frame, odd), 100000, "no buffer");
  Refused("count", aclmdlExecute(model.id, frame.in.set, frame.out.set), 100017, "1 buffers");
  frame.in.Add(frame.gear.Get(), 64);
  Refused("no gear", aclmdlExecute(model.id, frame.in.set, frame.out.set), 100017,
          "none was chosen");
  Refused("odd gear", Choose(kind, model, frame, odd), 100000, "its gears are");
  Refused("still none", aclmdlExecute(model.id, frame.in.set, frame.out.set), 100017,
          "none was chosen");
  const aclError other = kind == "batch" ? aclmdlSetDynamicHWSize(model.id, frame.in.set, 1, 8, 8)
                                         : aclmdlSetDynamicBatchSize(model.id, frame.in.set, 1, 1);
  Refused("other kind", other, 100019, "another kind");
  if (kind == "batch")
    Refused("index", aclmdlSetDynamicBatchSize(model.id, frame.in.set, 0, 1), 100000, "input 0");
  Frame small(model, Numbers(4));
  small.in.Add(small.gear.Get(), 64);
  aclmdlIODims dims = InputDims(model);
  const int64_t first[] = {1, 3, 8, 8};
  std::copy(first, first + 4, dims.dims);
  Check(Choose(kind, model, small, dims), "first gear");
  Refused("small", aclmdlExecute(model.id, small.in.set, small.out.set), 100017, "16 bytes");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  const Session session;
  const std::string kind = argv[1];
  int wrong = 0;
  {
    const Model geared(argv[2]);
    Describe(kind, geared, static_cast<size_t>(argc - 3));
    // Forth, on the stream, and back.
    for (int i = 3; i < argc; ++i) wrong += !Same(kind, geared, argv[i], nullptr);
    for (int i = argc - 1; i >= 3; --i) wrong += !Same(kind, geared, argv[i], session.stream);
    Refusals(kind, geared);
  }
  std::printf("%s: %d wrong of %d, %d misuses\n", kind.c_str(), wrong, 2 * (argc - 3), misuses);
  return wrong ? 1 : 0;
}
