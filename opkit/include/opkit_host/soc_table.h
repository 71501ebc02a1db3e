// Generated from opkit/soc/specs by the build target soc_table; do not edit.
#ifndef OPKIT_HOST_SOC_TABLE_H_
#define OPKIT_HOST_SOC_TABLE_H_

#include "opkit/abi/soc.h"

namespace opkit_host {

// clang-format off
inline constexpr opk_soc_v1 kSocTable[] = {
    {sizeof(opk_soc_v1), 3002, "Ascend310B1", "Ascend310B", 1, 1, 1, 0, {34359738368, 253952, 1048576, 65536, 65536, 131072, 1024, 2048}, 4194304, 0, 0, 2097152, 1224, 1224, 256, 128, 17, 17, 256, nullptr},
    {sizeof(opk_soc_v1), 3002, "Ascend310B4", "Ascend310B", 1, 1, 1, 0, {17179869184, 253952, 1048576, 65536, 65536, 131072, 1024, 2048}, 4194304, 0, 0, 2097152, 500, 500, 256, 128, 8, 8, 256, nullptr},
    {sizeof(opk_soc_v1), 2002, "Ascend310P3", "Ascend310P", 8, 8, 15, 0, {24000000000, 262144, 1048576, 65536, 65536, 262144, 0, 0}, 16777216, 0, 0, 2097152, 1060, 1000, 114, 114, 17, 17, 0, nullptr},
    {sizeof(opk_soc_v1), 1001, "Ascend910A", "Ascend910", 32, 32, 32, 0, {34359738368, 262144, 1048576, 65536, 65536, 262144, 0, 0}, 33554432, 0, 0, 2097152, 1000, 1000, 110, 86, 32, 32, 0, nullptr},
    {sizeof(opk_soc_v1), 2201, "Ascend910B1", "Ascend910B", 24, 24, 48, 1, {68719476736, 196608, 524288, 65536, 65536, 131072, 1024, 2048}, 201326592, 256, 256, 16777216, 1850, 1850, 110, 86, 32, 32, 0, nullptr},
    {sizeof(opk_soc_v1), 2201, "Ascend910B2", "Ascend910B", 24, 24, 48, 1, {68719476736, 196608, 524288, 65536, 65536, 131072, 1024, 2048}, 201326592, 256, 256, 16777216, 1800, 1800, 110, 86, 32, 32, 0, nullptr},
    {sizeof(opk_soc_v1), 2201, "Ascend910B3", "Ascend910B", 20, 20, 40, 1, {68719476736, 196608, 524288, 65536, 65536, 131072, 1024, 2048}, 201326592, 256, 256, 16777216, 1800, 1800, 110, 86, 32, 32, 0, nullptr},
    {sizeof(opk_soc_v1), 2201, "Ascend910B4", "Ascend910B", 20, 20, 40, 1, {34359738368, 196608, 524288, 65536, 65536, 131072, 1024, 2048}, 100663296, 256, 256, 16777216, 1500, 1500, 110, 86, 32, 32, 0, nullptr},
};

// Short name, chip that stands for it.
inline constexpr const char* kSocFamilies[][2] = {
    {"Ascend310B", "Ascend310B1"},
    {"Ascend310P", "Ascend310P3"},
    {"Ascend910", "Ascend910A"},
    {"Ascend910B", "Ascend910B1"},
};
// clang-format on

}  // namespace opkit_host

#endif  // OPKIT_HOST_SOC_TABLE_H_
