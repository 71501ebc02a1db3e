#include "opkit/model/export/texts.h"

namespace opkit::model_export {

const char* const kProductLoops = R"source(// Matrix products, convolutions and pools.
#pragma once

#include <algorithm>

#include "elements.h"

namespace loops {

// y += a b, dense. Whole numbers are added in the type of y.
template <class A, class B, class Y>
void add_product(int64_t m, int64_t n, int64_t k, const A* a, const B* b, Y* y) {
  for (int64_t i = 0; i < m; ++i) {
    Y* const row = y + i * n;
    for (int64_t l = 0; l < k; ++l) {
      const Y one = a[i * k + l];
      const B* const other = b + l * n;
      for (int64_t j = 0; j < n; ++j) row[j] += one * static_cast<Y>(other[j]);
    }
  }
}

template <size_t Rank, class A, class B, class Y>
void matmul(const Dims<Rank>& dims, const Dims<Rank>& a_steps, const Dims<Rank>& b_steps, int64_t m,
            int64_t n, int64_t k, const A* a, const B* b, Y* y) {
  const int64_t count = dims[Rank - 1];
  for_rows<Rank, 2>(dims, {a_steps, b_steps}, [&](const std::array<int64_t, 2>& at) {
    for (int64_t i = 0; i < count; ++i) {
      std::fill_n(y, m * n, Y{});
      add_product(m, n, k, a + at[0] + i * a_steps[Rank - 1], b + at[1] + i * b_steps[Rank - 1], y);
      y += m * n;
    }
  });
}

// Returns a sum in eight parts, which instructions for several floats add at once.
inline float dot(int64_t k, const float* a, int64_t step, const float* b) {
  float parts[8] = {};
  const int64_t whole = step == 1 ? k / 8 * 8 : 0;
  for (int64_t l = 0; l < whole; l += 8) {
    for (int64_t p = 0; p < 8; ++p) parts[p] += a[l + p] * b[l + p];
  }
  float rest = 0;
  for (int64_t l = whole; l < k; ++l) rest += a[l * step] * b[l];
  return rest + (((parts[0] + parts[1]) + (parts[2] + parts[3])) +
                 ((parts[4] + parts[5]) + (parts[6] + parts[7])));
}

// y = alpha a b; a turned matrix is read by columns.
inline void gemm(int64_t m, int64_t n, int64_t k, bool a_turned, bool b_turned, float alpha,
                 const float* a, const float* b, float* y) {
  const int64_t step = a_turned ? m : 1;
  for (int64_t i = 0; i < m; ++i) {
    const float* const from = a_turned ? a + i : a + i * k;
    float* const row = y + i * n;
    std::fill_n(row, n, 0.0f);
    if (b_turned) {
      for (int64_t j = 0; j < n; ++j) row[j] = dot(k, from, step, b + j * k);
    } else {
      for (int64_t l = 0; l < k; ++l) {
        const float one = from[l * step];
        for (int64_t j = 0; j < n; ++j) row[j] += one * b[l * n + j];
      }
    }
    for (int64_t j = 0; j < n; ++j) row[j] *= alpha;
  }
}

inline void add_scaled(int64_t m, int64_t n, float beta, int64_t down, int64_t along,
                       const float* c, float* y) {
  for (int64_t i = 0; i < m; ++i) {
    for (int64_t j = 0; j < n; ++j) y[i * n + j] += beta * c[i * down + j * along];
  }
}

// One dim of a sliding window.
struct Along {
  int64_t in, out, kernel, step, dilation, before, after;

  // Returns the outputs whose element k of the kernel lies inside the data: [first, last).
  int64_t first(int64_t k) const {
    const int64_t missing = before - k * dilation;
    return missing <= 0 ? 0 : (missing + step - 1) / step;
  }
  int64_t last(int64_t k) const {
    const int64_t reach = in - 1 + before - k * dilation;
    return reach < 0 ? 0 : std::min(out, reach / step + 1);
  }
  int64_t place(int64_t output, int64_t k) const { return output * step - before + k * dilation; }
};
struct Window {
  Along down, across;
};

template <class X, class W, class Y>
void add_plane(const Window& window, const X* x, const W* w, Y* y) {
  const Along &down = window.down, &across = window.across;
  for (int64_t i = 0; i < down.kernel; ++i) {
    for (int64_t j = 0; j < across.kernel; ++j) {
      const Y weight = w[i * across.kernel + j];
      const int64_t from = across.first(j), to = across.last(j), step = across.step;
      for (int64_t oy = down.first(i); oy < down.last(i); ++oy) {
        const X* const row = x + down.place(oy, i) * across.in + across.place(from, j);
        Y* const out = y + oy * across.out + from;
        if (step == 1) {
          for (int64_t o = 0; o < to - from; ++o) out[o] += weight * static_cast<Y>(row[o]);
        } else {
          for (int64_t o = 0; o < to - from; ++o) out[o] += weight * static_cast<Y>(row[o * step]);
        }
      }
    }
  }
}

template <class X, class W, class Y>
void conv(const Window& window, int64_t batch, int64_t groups, int64_t in, int64_t out, const X* x,
          const W* w, const Y* bias, Y* y) {
  const int64_t in_plane = window.down.in * window.across.in,
                out_plane = window.down.out * window.across.out,
                kernel = window.down.kernel * window.across.kernel, part = in / groups;
  for (int64_t n = 0; n < batch; ++n) {
    for (int64_t m = 0; m < out; ++m) {
      Y* const plane = y + (n * out + m) * out_plane;
      std::fill_n(plane, out_plane, bias == nullptr ? Y{} : bias[m]);
      const int64_t first = m / (out / groups) * part;
      for (int64_t c = 0; c < part; ++c)
        add_plane(window, x + (n * in + first + c) * in_plane, w + (m * part + c) * kernel, plane);
    }
  }
}

// A NaN is the largest.
template <class T>
T larger(T v, T most) {
  if constexpr (std::is_floating_point_v<T>) {
    if (v != v) return v;
  }
  return v > most ? v : most;
}
template <class T>
constexpr T least() {
  return std::is_floating_point_v<T> ? -std::numeric_limits<T>::infinity()
                                     : std::numeric_limits<T>::min();
}

template <class T>
void max_pool(const Window& window, int64_t planes, const T* x, T* y) {
  const Along &down = window.down, &across = window.across;
  for (int64_t p = 0; p < planes; ++p, x += down.in * across.in, y += down.out * across.out) {
    std::fill_n(y, down.out * across.out, least<T>());
    for (int64_t i = 0; i < down.kernel; ++i) {
      for (int64_t j = 0; j < across.kernel; ++j) {
        for (int64_t oy = down.first(i); oy < down.last(i); ++oy) {
          for (int64_t ox = across.first(j); ox < across.last(j); ++ox) {
            T& most = y[oy * across.out + ox];
            most = larger(x[down.place(oy, i) * across.in + across.place(ox, j)], most);
          }
        }
      }
    }
  }
}

// How many elements of the kernel at an output lie inside the data, or inside the padded
// data.
inline int64_t met(const Along& along, int64_t output, bool padded) {
  int64_t count = 0;
  for (int64_t k = 0; k < along.kernel; ++k) {
    const int64_t at = along.place(output, k);
    count += padded ? at >= -along.before && at < along.in + along.after : at >= 0 && at < along.in;
  }
  return count;
}

inline void average_pool(const Window& window, int64_t planes, bool padded, const float* x,
                         float* y) {
  const Along &down = window.down, &across = window.across;
  for (int64_t p = 0; p < planes; ++p, x += down.in * across.in, y += down.out * across.out) {
    for (int64_t oy = 0; oy < down.out; ++oy) {
      for (int64_t ox = 0; ox < across.out; ++ox) {
        double sum = 0;
        for (int64_t i = 0; i < down.kernel; ++i) {
          for (int64_t j = 0; j < across.kernel; ++j) {
            const int64_t iy = down.place(oy, i), ix = across.place(ox, j);
            if (iy >= 0 && iy < down.in && ix >= 0 && ix < across.in) sum += x[iy * across.in + ix];
          }
        }
        const int64_t count = met(down, oy, padded) * met(across, ox, padded);
        y[oy * across.out + ox] = static_cast<float>(sum / static_cast<double>(count));
      }
    }
  }
}

inline void global_average(int64_t planes, int64_t size, const float* x, float* y) {
  for (int64_t p = 0; p < planes; ++p) {
    double sum = 0;
    for (int64_t i = 0; i < size; ++i) sum += x[p * size + i];
    y[p] = static_cast<float>(sum / static_cast<double>(size));
  }
}

template <class T>
void global_max(int64_t planes, int64_t size, const T* x, T* y) {
  for (int64_t p = 0; p < planes; ++p) {
    T most = least<T>();
    for (int64_t i = 0; i < size; ++i) most = larger(x[p * size + i], most);
    y[p] = most;
  }
}

}  // namespace loops
)source";

}  // namespace opkit::model_export
