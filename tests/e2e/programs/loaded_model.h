// A model and its description, and buffers in a dataset, for as long as the objects live.
#pragma once
#include "host.h"

struct Model {
  explicit Model(const char* path) {
    Check(aclmdlLoadFromFile(path, &id), "aclmdlLoadFromFile");
    Check(aclmdlGetDesc(desc, id), "aclmdlGetDesc");
  }
  ~Model() {
    aclmdlDestroyDesc(desc);
    Check(aclmdlUnload(id), "aclmdlUnload");
  }
  uint32_t id = 0;
  aclmdlDesc* desc = aclmdlCreateDesc();
};

struct Dataset {
  Dataset() { Check(set ? 0 : 1, "aclmdlCreateDataset"); }
  ~Dataset() {
    for (size_t i = 0; i < aclmdlGetDatasetNumBuffers(set); ++i)
      Check(aclDestroyDataBuffer(aclmdlGetDatasetBuffer(set, i)), "aclDestroyDataBuffer");
    Check(aclmdlDestroyDataset(set), "aclmdlDestroyDataset");
  }
  aclDataBuffer* Add(void* data, size_t bytes) {
    aclDataBuffer* const buffer = aclCreateDataBuffer(data, bytes);
    Check(aclmdlAddDatasetBuffer(set, buffer), "aclmdlAddDatasetBuffer");
    return buffer;
  }
  aclmdlDataset* set = aclmdlCreateDataset();
};
