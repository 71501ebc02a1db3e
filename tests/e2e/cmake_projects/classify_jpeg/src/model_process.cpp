#include "model_process.h"

#include <functional>
#include <map>
#include <vector>

ModelProcess::ModelProcess(const char* file) {
  Check(aclmdlLoadFromFile(file, &id_), "aclmdlLoadFromFile");
  desc_ = aclmdlCreateDesc();
  Check(aclmdlGetDesc(desc_, id_), "aclmdlGetDesc");
  scoresSize_ = aclmdlGetOutputSizeByIndex(desc_, 0);
  Check(aclrtMalloc(&scores_, scoresSize_, ACL_MEM_MALLOC_NORMAL_ONLY), "aclrtMalloc");
}

ModelProcess::~ModelProcess() {
  aclrtFree(scores_);
  aclmdlDestroyDesc(desc_);
  Check(aclmdlUnload(id_), "aclmdlUnload");
}

void ModelProcess::Execute(void* image, size_t size) {
  aclmdlDataset* const in = aclmdlCreateDataset();
  aclmdlDataset* const out = aclmdlCreateDataset();
  aclDataBuffer* const imageBuffer = aclCreateDataBuffer(image, size);
  aclDataBuffer* const scoresBuffer = aclCreateDataBuffer(scores_, scoresSize_);
  Check(aclmdlAddDatasetBuffer(in, imageBuffer), "aclmdlAddDatasetBuffer");
  Check(aclmdlAddDatasetBuffer(out, scoresBuffer), "aclmdlAddDatasetBuffer");
  Check(aclmdlExecute(id_, in, out), "aclmdlExecute");
  aclDestroyDataBuffer(imageBuffer);
  aclDestroyDataBuffer(scoresBuffer);
  aclmdlDestroyDataset(in);
  aclmdlDestroyDataset(out);
}

void ModelProcess::PrintTop(int count) {
  std::vector<float> scores(scoresSize_ / sizeof(float));
  Check(aclrtMemcpy(scores.data(), scoresSize_, scores_, scoresSize_, ACL_MEMCPY_DEVICE_TO_HOST),
        "aclrtMemcpy");
  std::multimap<float, size_t, std::greater<float>> best;
  for (size_t i = 0; i < scores.size(); ++i) best.insert(std::make_pair(scores[i], i));
  int place = 0;
  for (auto it = best.begin(); it != best.end() && place < count; ++it)
    std::printf("top %d: index[%zu] value[%f]\n", ++place, it->second, it->first);
}
