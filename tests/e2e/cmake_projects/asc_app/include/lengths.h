#pragma once
#include <cstdint>

constexpr uint32_t kBlocks = 4, kLength = 1024;
