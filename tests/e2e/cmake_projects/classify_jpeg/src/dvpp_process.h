// A JPEG file to a picture of the model's size, in device memory.
#ifndef DVPP_PROCESS_H
#define DVPP_PROCESS_H
#include <cstdint>
#include <string>

#include "check.h"

class DvppProcess {
 public:
  DvppProcess(aclrtStream stream, uint32_t modelWidth, uint32_t modelHeight);
  ~DvppProcess();
  // YUV420SP without gaps.
  void Process(const std::string& file);
  void* Output() const { return resizedBuffer_; }
  uint32_t OutputSize() const { return resizedSize_; }

 private:
  void* LoadToDevice(const std::string& file, uint32_t& size);
  void Decode(void* file, uint32_t size);
  void Resize();

  aclrtStream stream_;
  uint32_t modelWidth_, modelHeight_;
  acldvppChannelDesc* channel_ = nullptr;
  acldvppResizeConfig* config_ = nullptr;
  acldvppPicDesc* decoded_ = nullptr;
  void* decodedBuffer_ = nullptr;
  uint32_t decodedSize_ = 0;
  void* resizedBuffer_ = nullptr;
  uint32_t resizedSize_ = 0;
};
#endif
