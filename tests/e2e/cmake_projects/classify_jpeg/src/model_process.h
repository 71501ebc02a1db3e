// A model that takes one picture and gives scores.
#ifndef MODEL_PROCESS_H
#define MODEL_PROCESS_H
#include "check.h"

class ModelProcess {
 public:
  explicit ModelProcess(const char* file);
  ~ModelProcess();
  size_t InputSize() const { return aclmdlGetInputSizeByIndex(desc_, 0); }
  void Execute(void* image, size_t size);
  void PrintTop(int count);

 private:
  uint32_t id_ = 0;
  aclmdlDesc* desc_ = nullptr;
  void* scores_ = nullptr;
  size_t scoresSize_ = 0;
};
#endif
