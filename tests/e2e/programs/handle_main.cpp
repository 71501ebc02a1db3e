// Loads the object of kernels that argv[1] names; argv[2] is what to do wrong.
#include <cstring>
#include <string>

#include "misuse.h"

namespace {

struct Scaling {
  float factor;
  uint16_t count;
};
constexpr uint16_t kCount = 64;

struct Scale {
  Scale(aclrtFuncHandle function, const DeviceArray<float>* x, const DeviceArray<float>& y) {
    Check(aclrtKernelArgsInit(function, &list), "aclrtKernelArgsInit");
    aclrtParamHandle ignored;
    if (x) {
      uint8_t* from = x->Get();
      Check(aclrtKernelArgsAppend(list, &from, sizeof from, &source), "append x");
    } else {
      Check(aclrtKernelArgsAppendPlaceHolder(list, &source), "append a place for x");
    }
    int8_t minus = -1;
    Scaling scaling{3.0f, kCount};
    uint8_t* to = y.Get();
    Check(aclrtKernelArgsAppend(list, &minus, sizeof minus, &sign), "append the sign");
    Check(aclrtKernelArgsAppend(list, &scaling, sizeof scaling, &ignored), "append a struct");
    Refused("short", aclrtKernelArgsAppend(list, &to, 4, &ignored), 100000, "has 8 bytes");
    Refused("end", aclrtKernelArgsFinalize(list), 107000, "3 were appended");
    Check(aclrtKernelArgsAppend(list, &to, sizeof to, &ignored), "append y");
    Refused("more", aclrtKernelArgsAppend(list, &to, sizeof to, &ignored), 100000, "no more than");
    Check(aclrtKernelArgsFinalize(list), "aclrtKernelArgsFinalize");
  }
  aclrtArgsHandle list;
  aclrtParamHandle source, sign;
};

int Wrong(const std::vector<float>& found, const std::vector<float>& x, float factor) {
  int wrong = 0;
  for (uint32_t i = 0; i < kCount; ++i) wrong += found[i] != factor * x[i];
  return wrong;
}

int Refusals(aclrtBinHandle binary, aclrtFuncHandle scale, aclrtArgsHandle list,
             aclrtStream stream) {
  aclrtBinHandle none;
  aclrtFuncHandle function;
  aclrtArgsHandle open;
  Refused("relative", aclrtBinaryLoadFromFile("a.o", nullptr, &none), 100000, "absolute");
  Refused("no file", aclrtBinaryLoadFromFile("/no/such.o", nullptr, &none), 100003, "/no/such.o");
  Refused("foreign", aclrtBinaryLoadFromFile("/lib/x86_64-linux-gnu/libm.so.6", nullptr, &none),
          100003, "opkit cc --kernels");
  Refused("no kernel", aclrtBinaryGetFunction(binary, "skale", &function), 100000, "scale");
  Refused("no binary", aclrtBinaryGetFunction(scale, "scale", &function), 107017, "no binary");
  Refused("no function", aclrtKernelArgsInit(binary, &open), 107017, "no kernel");
  Check(aclrtKernelArgsInit(scale, &open), "aclrtKernelArgsInit");
  Refused("open", aclrtLaunchKernelWithConfig(scale, 2, stream, nullptr, open, nullptr), 107000,
          "aclrtKernelArgsFinalize");
  Refused("no list", aclrtLaunchKernelWithConfig(scale, 2, stream, nullptr, scale, nullptr), 107017,
          "no list");
  Refused("blocks", aclrtLaunchKernelWithConfig(scale, 0, stream, nullptr, list, nullptr), 100000,
          "0 blocks");
  Refused("stream", aclrtLaunchKernelWithConfig(scale, 2, list, nullptr, list, nullptr), 107003,
          "no stream");
  Refused("reserve", aclrtLaunchKernelWithConfig(scale, 2, stream, nullptr, list, &open), 100000,
          "reserved");
  aclrtLaunchKernelAttr attributes[2] = {};
  attributes[0].id = ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT;
  attributes[1].id = ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT_US;
  aclrtLaunchKernelCfg config = {attributes, 2};
  Refused("both", aclrtLaunchKernelWithConfig(scale, 2, stream, &config, list, nullptr), 100000,
          "exclude");
  Refused("host", aclrtLaunchKernel(scale, 2, &config, 40, stream), 107000, "arguments at");
  Refused("bytes", aclrtLaunchKernel(scale, 2, &config, 16, stream), 100000, "32 bytes");
  return 0;
}

}  // namespace

int main(int, char** words) {
  Session session;
  std::vector<float> x;
  for (uint32_t i = 0; i < kCount; ++i) x.push_back(0.5f * i - 3);
  const DeviceArray<float> from(x), to(std::vector<float>(kCount, 0.0f));
  aclrtBinHandle binary;
  aclrtFuncHandle scale, both, faulty;
  Check(aclrtBinaryLoadFromFile(words[1], nullptr, &binary), "aclrtBinaryLoadFromFile");
  Check(aclrtBinaryGetFunction(binary, "scale", &scale), "scale");
  Check(aclrtBinaryGetFunction(binary, "both", &both), "both");
  Check(aclrtBinaryGetFunction(binary, "faulty", &faulty), "faulty");
  int wrong = 0;

  // Arguments of the host, then others in their place.
  const Scale given(scale, &from, to);
  aclrtLaunchKernelAttr batch = {ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE, {1}};
  aclrtLaunchKernelCfg config = {&batch, 1};
  Check(aclrtLaunchKernelWithConfig(scale, 2, session.stream, &config, given.list, nullptr),
        "scale");
  wrong += Wrong(to.Read(), x, -3);
  int8_t plus = 1;
  Check(aclrtKernelArgsParaUpdate(given.list, given.sign, &plus, 1), "aclrtKernelArgsParaUpdate");
  Check(aclrtLaunchKernelWithConfig(scale, 4, session.stream, nullptr, given.list, nullptr),
        "again");
  wrong += Wrong(to.Read(), x, 3);

  // Data that the launch brings to the device.
  const Scale carried(scale, nullptr, to);
  void* buffer;
  Check(aclrtKernelArgsGetPlaceHolderBuffer(carried.list, carried.source, kCount * sizeof(float),
                                            &buffer),
        "aclrtKernelArgsGetPlaceHolderBuffer");
  std::vector<float> twice(x);
  for (float& value : twice) value *= 2;
  std::memcpy(buffer, twice.data(), kCount * sizeof(float));
  Check(aclrtLaunchKernelWithConfig(scale, 1, session.stream, nullptr, carried.list, nullptr),
        "with a placeholder");
  wrong += Wrong(to.Read(), x, -6);

  // Arguments in device memory: x at 0, the sign at 8, the struct at 12, y at 24.
  std::vector<uint8_t> block(32);
  const uint8_t* const addresses[] = {from.Get(), to.Get()};
  const Scaling five{5.0f, kCount};
  std::memcpy(&block[0], &addresses[0], 8);
  std::memcpy(&block[8], &plus, 1);
  std::memcpy(&block[12], &five, sizeof five);
  std::memcpy(&block[24], &addresses[1], 8);
  const DeviceArray<uint8_t> arguments(block);
  Check(aclrtLaunchKernel(scale, 8, arguments.Get(), block.size(), session.stream), "from device");
  wrong += Wrong(to.Read(), x, 5);

  // Launches with arguments in host memory; data behind them; a value each.
  Check(aclrtLaunchKernelWithHostArgs(scale, 8, session.stream, nullptr, block.data(), block.size(),
                                      nullptr, 0),
        "aclrtLaunchKernelWithHostArgs");
  wrong += Wrong(to.Read(), x, 5);
  std::vector<uint8_t> longer(block);
  longer.resize(block.size() + kCount * sizeof(float));
  std::memcpy(&longer[block.size()], twice.data(), kCount * sizeof(float));
  aclrtPlaceHolderInfo place{0, static_cast<uint32_t>(block.size())};
  Check(aclrtLaunchKernelWithHostArgs(scale, 1, session.stream, nullptr, longer.data(),
                                      longer.size(), &place, 1),
        "with data behind the arguments");
  wrong += Wrong(to.Read(), x, 10);
  place.dataOffset = static_cast<uint32_t>(longer.size());
  Refused("outside",
          aclrtLaunchKernelWithHostArgs(scale, 1, session.stream, nullptr, longer.data(),
                                        longer.size(), &place, 1),
          100000, "its data at byte");
  Refused("too short",
          aclrtLaunchKernelWithHostArgs(scale, 1, session.stream, nullptr, block.data(),
                                        block.size() - 1, nullptr, 0),
          100000, "pass all of them");
  Refused("no placeholders",
          aclrtLaunchKernelWithHostArgs(scale, 1, session.stream, nullptr, longer.data(),
                                        longer.size(), nullptr, 1),
          100000, "pass an array of as many");
  const Scaling seven{7.0f, kCount};
  const void* values[] = {&addresses[0], &plus, &seven, &addresses[1]};
  Check(
      aclrtLaunchKernelWithArgsArray(scale, 2, session.stream, nullptr, const_cast<void**>(values)),
      "aclrtLaunchKernelWithArgsArray");
  values[1] = nullptr;
  Refused(
      "no value",
      aclrtLaunchKernelWithArgsArray(scale, 2, session.stream, nullptr, const_cast<void**>(values)),
      100000, "parameter 2 has no value");
  wrong += Wrong(to.Read(), x, 7);

  const DeviceArray<int32_t> seen(std::vector<int32_t>(32, 0));
  aclrtArgsHandle list;
  aclrtParamHandle ignored;
  uint8_t* address = seen.Get();
  Check(aclrtKernelArgsInit(both, &list), "aclrtKernelArgsInit");
  Check(aclrtKernelArgsAppend(list, &address, sizeof address, &ignored), "append");
  Check(aclrtKernelArgsFinalize(list), "aclrtKernelArgsFinalize");
  Refused("other", aclrtLaunchKernelWithConfig(scale, 1, session.stream, nullptr, list, nullptr),
          107000, "another kernel");
  Check(aclrtLaunchKernelWithConfig(both, 1, session.stream, nullptr, list, nullptr), "both");
  wrong += seen.Read()[0] != 1 || seen.Read()[16] != 2;
  wrong += Refusals(binary, scale, given.list, session.stream);

  if (words[2]) {
    address = from.Get();
    Check(aclrtKernelArgsInit(faulty, &list), "aclrtKernelArgsInit");
    Check(aclrtKernelArgsAppend(list, &address, sizeof address, &ignored), "append");
    Check(aclrtKernelArgsFinalize(list), "aclrtKernelArgsFinalize");
    Check(aclrtLaunchKernelWithConfig(faulty, 1, session.stream, nullptr, list, nullptr), "faulty");
    Refused("after it", aclrtSynchronizeStream(session.stream), 507015, "kernel faulty failed");
  } else {
    Check(aclrtSynchronizeStream(session.stream), "aclrtSynchronizeStream");
  }
  Check(aclrtBinaryUnLoad(binary), "aclrtBinaryUnLoad");
  Refused("unloaded", aclrtBinaryUnLoad(binary), 107017, "unloaded");
  Refused("gone", aclrtLaunchKernelWithConfig(scale, 1, session.stream, nullptr, list, nullptr),
          107017, "unloaded");
  std::printf("%d wrong, launched by handle\n", wrong);
  return wrong != 0;
}
