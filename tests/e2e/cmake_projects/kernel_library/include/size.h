#pragma once

constexpr int kSize = 256;
