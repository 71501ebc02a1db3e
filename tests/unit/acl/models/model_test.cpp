// Models of host steps: outputs that the runtime allocates, models that are unloaded too early, and
// codes; tests/e2e/programs runs models that atc made.
#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "opkit/acl/base/faults.h"
#include "opkit/acl/device/device.h"
#include "opkit/acl/streams/program_scheduler.h"
#include "opkit/model/file/om_file.h"
#include "tests/unit/acl/op_versions.h"
#include "tests/unit/model/file/geared_model.h"

namespace opkit::acl {
namespace {

using ::testing::HasSubstr;

class HostModels : public OpVersions {
 protected:
  static constexpr size_t kBytes = 48;  // measures either end of the small model

  void SetUp() override {
    OpVersions::SetUp();
    ASSERT_EQ(aclrtCreateStream(&stream_), ACL_SUCCESS);
    ASSERT_EQ(aclrtMalloc(&x_, kBytes, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
    ASSERT_EQ(aclrtMalloc(&y_, kBytes, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
    const std::vector<float> ones(kBytes / sizeof(float), 1);
    ASSERT_EQ(aclrtMemcpy(x_, kBytes, ones.data(), kBytes, ACL_MEMCPY_HOST_TO_DEVICE), ACL_SUCCESS);
  }
  void TearDown() override {
    for (const auto& [dataset, buffer] : datasets_) {
      aclDestroyDataBuffer(buffer);
      aclmdlDestroyDataset(dataset);
    }
    for (const uint32_t id : loaded_) aclmdlUnload(id);
    aclrtDestroyStream(stream_);
    aclrtFree(x_);
    aclrtFree(y_);
    OpVersions::TearDown();
    faults().forget();
  }

  uint32_t load(model::OfflineModel made) {
    made.plugins.clear();
    const std::string bytes = model::encode(made);
    uint32_t id = 0;
    EXPECT_EQ(aclmdlLoadFromMem(bytes.data(), bytes.size(), &id), ACL_SUCCESS) << said();
    loaded_.push_back(id);
    return id;
  }
  // y = x * w of [1, 2], [2, 2] or [4, 2].
  uint32_t load_ranges() {
    model::GearJoin join(model::GearKind::kShapes);
    for (const int64_t rows : {1, 2, 4}) join.add({rows}, model::one_gear(rows));
    return load(join.take());
  }
  aclmdlDataset* dataset(void* memory, size_t bytes) {
    aclmdlDataset* const made = aclmdlCreateDataset();
    datasets_[made] = aclCreateDataBuffer(memory, bytes);
    EXPECT_EQ(aclmdlAddDatasetBuffer(made, datasets_[made]), ACL_SUCCESS);
    return made;
  }
  static void describe(aclmdlDataset* in, std::vector<int64_t> dims) {
    aclTensorDesc* const desc =
        aclCreateTensorDesc(ACL_FLOAT, static_cast<int>(dims.size()), dims.data(), ACL_FORMAT_ND);
    EXPECT_EQ(aclmdlSetDatasetTensorDesc(in, desc, 0), ACL_SUCCESS);
    aclDestroyTensorDesc(desc);
  }
  // Takes the numbers of the one buffer, whose memory is given back.
  static std::vector<float> take_numbers(const aclmdlDataset* out) {
    const aclDataBuffer* const buffer = aclmdlGetDatasetBuffer(out, 0);
    const size_t bytes = aclGetDataBufferSizeV2(buffer);
    std::vector<float> numbers(bytes / sizeof(float));
    EXPECT_EQ(aclrtMemcpy(numbers.data(), bytes, aclGetDataBufferAddr(buffer), bytes,
                          ACL_MEMCPY_DEVICE_TO_HOST),
              ACL_SUCCESS)
        << said();
    EXPECT_EQ(aclrtFree(aclGetDataBufferAddr(buffer)), ACL_SUCCESS) << said();
    return numbers;
  }
  static uint64_t in_use() { return the_device().memory().in_use(); }

  aclrtStream stream_ = nullptr;
  void *x_ = nullptr, *y_ = nullptr;

 private:
  std::map<aclmdlDataset*, aclDataBuffer*> datasets_;
  std::vector<uint32_t> loaded_;
};

TEST_F(HostModels, OutputsWithoutMemoryAreAllocated) {
  const uint32_t id = load(model::small_model());
  const uint64_t before = in_use();
  aclmdlDataset* const out = dataset(nullptr, 0);
  ASSERT_EQ(aclmdlExecute(id, dataset(x_, kBytes), out), ACL_SUCCESS) << said();
  EXPECT_THAT(take_numbers(out), testing::ElementsAre(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12));
  EXPECT_EQ(in_use(), before);
}

TEST_F(HostModels, AreExecutedInTheContextThatTheyWereLoadedIn) {
  aclrtContext loaded_in = nullptr, other = nullptr;
  ASSERT_EQ(aclrtGetCurrentContext(&loaded_in), ACL_SUCCESS);
  const uint32_t id = load(model::small_model());
  aclmdlDataset *const in = dataset(x_, kBytes), *const out = dataset(y_, kBytes);
  ASSERT_EQ(aclrtCreateContext(&other, 0), ACL_SUCCESS);
  EXPECT_EQ(aclmdlExecute(id, in, out), ACL_ERROR_RT_MODEL_CONTEXT);
  EXPECT_THAT(said(), HasSubstr("call aclrtSetCurrentContext with that context first"));
  aclrtStream there = nullptr;
  ASSERT_EQ(aclrtCreateStream(&there), ACL_SUCCESS);
  EXPECT_EQ(aclmdlExecuteAsync(id, in, out, there), ACL_ERROR_RT_MODEL_CONTEXT);
  EXPECT_EQ(aclrtDestroyStream(there), ACL_SUCCESS);
  ASSERT_EQ(aclrtSetCurrentContext(loaded_in), ACL_SUCCESS);
  EXPECT_EQ(aclmdlExecute(id, in, out), ACL_SUCCESS) << said();
  EXPECT_EQ(aclrtDestroyContext(other), ACL_SUCCESS);
}

TEST_F(HostModels, AnAllocatedOutputHasTheBytesOfTheShapeThatRan) {
  const uint32_t id = load_ranges();
  aclmdlDataset *const in = dataset(x_, kBytes), *const out = dataset(nullptr, 0);
  describe(in, {2, 2});
  ASSERT_EQ(aclmdlExecute(id, in, out), ACL_SUCCESS) << said();
  EXPECT_THAT(take_numbers(out), testing::ElementsAre(2, 3, 2, 3));
}

TEST_F(HostModels, OutputsAreAllocatedByCallsThatWaitAlone) {
  const uint32_t id = load(model::small_model());
  aclmdlDataset* const in = dataset(x_, kBytes);
  EXPECT_EQ(aclmdlExecuteAsync(id, in, dataset(nullptr, 0), stream_),
            ACL_ERROR_MODEL_OUTPUT_NOT_MATCH);
  EXPECT_THAT(said(), HasSubstr("output 'y' has 0 bytes, the model wants 48; aclmdlExecuteAsync "
                                "allocates none"));
  EXPECT_EQ(aclmdlExecute(id, in, dataset(nullptr, kBytes)), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclmdlExecute(id, in, dataset(y_, 0)), ACL_ERROR_MODEL_OUTPUT_NOT_MATCH);
  EXPECT_EQ(aclmdlExecute(id, dataset(nullptr, 0), dataset(y_, kBytes)),
            ACL_ERROR_MODEL_INPUT_NOT_MATCH);
}

TEST_F(HostModels, ARunThatFailsLeavesNoOutput) {
  model::OfflineModel wrong = model::small_model();
  wrong.steps[3].node.op_type = "Transpose";
  wrong.steps[3].node.attributes.clear();
  const uint32_t id = load(wrong);
  const uint64_t before = in_use();
  aclmdlDataset* const out = dataset(nullptr, 0);
  EXPECT_EQ(aclmdlExecute(id, dataset(x_, kBytes), out), ACL_ERROR_RT_AICORE_EXCEPTION);
  EXPECT_EQ(aclGetDataBufferAddr(aclmdlGetDatasetBuffer(out, 0)), nullptr);
  EXPECT_EQ(in_use(), before);
  EXPECT_EQ(faults().report(), "") << "the call has told it";
}

TEST_F(HostModels, UnloadedBeforeTheirStreamComesToThemDoNotRun) {
  const uint64_t before = in_use();
  const uint32_t id = load(model::small_model());
  const auto gate = std::make_shared<Moment>();
  Task held;
  held.after = gate;
  Scheduler& scheduler = the_scheduler();
  scheduler.submit(the_device().find(stream_)->queue, std::move(held));
  ASSERT_EQ(aclmdlExecuteAsync(id, dataset(x_, kBytes), dataset(y_, kBytes), stream_), ACL_SUCCESS);
  ASSERT_EQ(aclmdlUnload(id), ACL_SUCCESS);
  EXPECT_EQ(in_use(), before);
  scheduler.pass(*gate);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_ERROR_GE_EXEC_MODEL_ID_INVALID);
  EXPECT_THAT(said(), HasSubstr("model " + std::to_string(id) + " ('small') was unloaded"));
}

TEST_F(HostModels, UnloadedBehindACaptureDoNotRun) {
  const uint32_t id = load(model::small_model());
  aclmdlRI captured = nullptr;
  ASSERT_EQ(aclmdlRICaptureBegin(stream_, ACL_MODEL_RI_CAPTURE_MODE_RELAXED), ACL_SUCCESS);
  ASSERT_EQ(aclmdlExecuteAsync(id, dataset(x_, kBytes), dataset(y_, kBytes), stream_), ACL_SUCCESS);
  ASSERT_EQ(aclmdlRICaptureEnd(stream_, &captured), ACL_SUCCESS);
  ASSERT_EQ(aclmdlRIExecuteAsync(captured, stream_), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS) << said();
  ASSERT_EQ(aclmdlUnload(id), ACL_SUCCESS);
  ASSERT_EQ(aclmdlRIExecuteAsync(captured, stream_), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_ERROR_GE_EXEC_MODEL_ID_INVALID);
  EXPECT_THAT(said(), HasSubstr("('small') was unloaded before its stream came to it"));
  EXPECT_EQ(aclmdlRIDestroy(captured), ACL_SUCCESS);
}

TEST_F(HostModels, ShapesThatAreNoneOfTheModelsAreToldTheOnesThereAre) {
  const uint32_t id = load_ranges();
  aclmdlDataset *const in = dataset(x_, kBytes), *const out = dataset(y_, kBytes);
  for (const bool described : {false, true}) {
    if (described) describe(in, {3, 2});
    EXPECT_EQ(aclmdlExecute(id, in, out), ACL_ERROR_MODEL_INPUT_NOT_MATCH);
    EXPECT_THAT(said(), HasSubstr("none of them (x[1, 2]; x[2, 2]; x[4, 2]); call "
                                  "aclmdlSetDatasetTensorDesc"));
  }
}

TEST_F(HostModels, QuestionsOfADestroyedDescriptionHaveTheCodeOfTheirText) {
  aclmdlDesc* const desc = aclmdlCreateDesc();
  aclmdlIODims dims;
  size_t index = 0;
  EXPECT_EQ(aclmdlGetInputDims(desc, 0, &dims), ACL_ERROR_INVALID_PARAM) << "of no model yet";
  ASSERT_EQ(aclmdlDestroyDesc(desc), ACL_SUCCESS);
  for (const auto ask :
       {aclmdlGetInputDims, aclmdlGetInputDimsV2, aclmdlGetOutputDims, aclmdlGetCurOutputDims}) {
    EXPECT_EQ(ask(desc, 0, &dims), ACL_ERROR_RT_INVALID_HANDLE);
    EXPECT_THAT(said(), HasSubstr("107017: "));
  }
  EXPECT_EQ(aclmdlGetInputIndexByName(desc, "x", &index), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclmdlGetOutputIndexByName(desc, "y", &index), ACL_ERROR_RT_INVALID_HANDLE);
}

}  // namespace
}  // namespace opkit::acl
