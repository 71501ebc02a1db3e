// main MODEL.om WIDTH HEIGHT PICTURE.jpg ...: the five best classes of each picture.
#include "dvpp_process.h"
#include "model_process.h"

int main(int argc, char** argv) {
  if (argc < 5) return 2;
  Check(aclInit(nullptr), "aclInit");
  Check(aclrtSetDevice(0), "aclrtSetDevice");
  aclrtStream stream = nullptr;
  Check(aclrtCreateStream(&stream), "aclrtCreateStream");
  {
    ModelProcess model(argv[1]);
    DvppProcess dvpp(stream, static_cast<uint32_t>(std::atoi(argv[2])),
                     static_cast<uint32_t>(std::atoi(argv[3])));
    if (model.InputSize() != dvpp.OutputSize()) return 3;
    for (int i = 4; i < argc; ++i) {
      dvpp.Process(argv[i]);
      model.Execute(dvpp.Output(), dvpp.OutputSize());
      model.PrintTop(5);
    }
  }
  Check(aclrtDestroyStream(stream), "aclrtDestroyStream");
  Check(aclrtResetDevice(0), "aclrtResetDevice");
  Check(aclFinalize(), "aclFinalize");
  return 0;
}
