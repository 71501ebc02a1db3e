// A model and its description, for as long as the object lives.
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
