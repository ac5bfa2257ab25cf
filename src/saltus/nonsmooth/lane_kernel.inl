// SPDX-License-Identifier: Apache-2.0
// Included once for every instruction set by lane_kernel.cpp, with
//   LANE_SET     the namespace of this set
//   LANE_TARGET  the attribute of its functions
//   LANE_WIDE    1 if it shuffles 32 bytes at a time
// Attributes do not reach lambdas, nor may anything of the standard library be instantiated here:
// the linker could take its copy for all.

namespace LANE_SET {

#define LANE_INLINE LANE_TARGET __attribute__((always_inline)) inline

template <class Real>
struct Vector;
template <>
struct Vector<float> {
  using type = float __attribute__((vector_size(32)));
};
template <>
struct Vector<double> {
  using type = double __attribute__((vector_size(32)));
};
template <class Real>
using V = typename Vector<Real>::type;

template <class Real>
LANE_INLINE V<Real> load(const Real* x) {
  V<Real> v;
  __builtin_memcpy(&v, x, sizeof v);
  return v;
}
template <class Real>
LANE_INLINE void store(Real* x, V<Real> v) {
  __builtin_memcpy(x, &v, sizeof v);
}

#if LANE_WIDE
LANE_INLINE V<float> root(V<float> x) { return _mm256_sqrt_ps(x); }
LANE_INLINE V<double> root(V<double> x) { return _mm256_sqrt_pd(x); }

// Rows and columns of eight by eight floats change places.
LANE_INLINE void transpose(V<float>* r) {
  V<float> t[8], s[8];
  for (int i = 0; i < 8; i += 2) {
    t[i] = _mm256_unpacklo_ps(r[i], r[i + 1]);
    t[i + 1] = _mm256_unpackhi_ps(r[i], r[i + 1]);
  }
  for (int i = 0; i < 8; i += 4) {
    s[i] = _mm256_shuffle_ps(t[i], t[i + 2], 0x44);
    s[i + 1] = _mm256_shuffle_ps(t[i], t[i + 2], 0xEE);
    s[i + 2] = _mm256_shuffle_ps(t[i + 1], t[i + 3], 0x44);
    s[i + 3] = _mm256_shuffle_ps(t[i + 1], t[i + 3], 0xEE);
  }
  for (int i = 0; i < 4; ++i) {
    r[i] = _mm256_permute2f128_ps(s[i], s[i + 4], 0x20);
    r[i + 4] = _mm256_permute2f128_ps(s[i], s[i + 4], 0x31);
  }
}
// The same of four by four doubles.
LANE_INLINE void transpose(V<double>* r) {
  const V<double> t0 = _mm256_unpacklo_pd(r[0], r[1]), t1 = _mm256_unpackhi_pd(r[0], r[1]);
  const V<double> t2 = _mm256_unpacklo_pd(r[2], r[3]), t3 = _mm256_unpackhi_pd(r[2], r[3]);
  r[0] = _mm256_permute2f128_pd(t0, t2, 0x20);
  r[1] = _mm256_permute2f128_pd(t1, t3, 0x20);
  r[2] = _mm256_permute2f128_pd(t0, t2, 0x31);
  r[3] = _mm256_permute2f128_pd(t1, t3, 0x31);
}

// Motions of the bodies of one side, a component a vector; x has lane_body vectors.
LANE_INLINE void gather(const float* w, const int* side, V<float>* x) {
  for (int i = 0; i < 8; ++i) x[i] = load(w + side[i]);
  transpose(x);
}
LANE_INLINE void gather(const double* w, const int* side, V<double>* x) {
  for (int i = 0; i < 4; ++i) {
    x[i] = load(w + side[i]);
    x[i + 4] = load(w + side[i] + 4);
  }
  transpose(x);
  transpose(x + 4);
}
LANE_INLINE void scatter(float* w, const int* side, V<float>* x) {
  x[6] = x[7] = V<float>{};
  transpose(x);
  for (int i = 0; i < 8; ++i) store(w + side[i], load(w + side[i]) + x[i]);
}
LANE_INLINE void scatter(double* w, const int* side, V<double>* x) {
  x[6] = x[7] = V<double>{};
  transpose(x);
  transpose(x + 4);
  for (int i = 0; i < 4; ++i) {
    store(w + side[i], load(w + side[i]) + x[i]);
    store(w + side[i] + 4, load(w + side[i] + 4) + x[i + 4]);
  }
}
#else
LANE_INLINE V<float> root(V<float> x) {
  for (int i = 0; i < 8; ++i) x[i] = __builtin_sqrtf(x[i]);
  return x;
}
LANE_INLINE V<double> root(V<double> x) {
  for (int i = 0; i < 4; ++i) x[i] = __builtin_sqrt(x[i]);
  return x;
}
template <class Real>
LANE_INLINE void gather(const Real* w, const int* side, V<Real>* x) {
  for (int i = 0; i < lane_count<Real>; ++i) {
    for (int k = 0; k < 6; ++k) x[k][i] = w[side[i] + k];
  }
}
template <class Real>
LANE_INLINE void scatter(Real* w, const int* side, V<Real>* x) {
  for (int i = 0; i < lane_count<Real>; ++i) {
    for (int k = 0; k < 6; ++k) w[side[i] + k] += x[k][i];
  }
}
#endif

template <class Real>
LANE_INLINE V<Real> larger(V<Real> a, V<Real> b) {
  return a > b ? a : b;
}

template <class Real>
LANE_INLINE double sum_of(V<Real> x) {
  double sum = 0;
  for (int i = 0; i < lane_count<Real>; ++i) sum += static_cast<double>(x[i]);
  return sum;
}
template <class Real>
LANE_INLINE double largest_of(V<Real> x) {
  double largest = 0;
  for (int i = 0; i < lane_count<Real>; ++i) {
    largest = static_cast<double>(x[i]) > largest ? static_cast<double>(x[i]) : largest;
  }
  return largest;
}

// Factor that brings a ball of squared size `square` back to its bound.
template <class Real>
LANE_INLINE V<Real> cut(V<Real> square, V<Real> bound) {
  const V<Real> one = V<Real>{} + Real(1);
  const V<Real> size = root(square);
  return size > bound ? bound / size : one;
}

// One pass over the normal reaction and its ball, which is exact if D_cc = diag(1, d, d). Where
// nothing changes any more, the laws hold whatever D_cc is. x: in the reactions, out the new ones;
// u: the motion.
template <class Real>
LANE_INLINE void solve(const Real* law, const V<Real>* u, V<Real>* x, const LaneLaw<3>*) {
  constexpr int L = lane_count<Real>;
  using Law = LaneLaw<3>;
  const V<Real> zero = {};
  V<Real> n = x[0] - u[0];
  n = n > zero ? n : zero;
  const V<Real> dn = n - x[0];
  const V<Real> per = load(law + L * Law::PerSlide);
  const V<Real> t1 = x[1] - per * (u[1] + load(law + L * Law::D10) * dn);
  const V<Real> t2 = x[2] - per * (u[2] + load(law + L * Law::D20) * dn);
  const V<Real> factor = cut<Real>(t1 * t1 + t2 * t2, load(law + L * Law::Slide) * n);
  x[0] = n;
  x[1] = factor * t1;
  x[2] = factor * t2;
}

template <class Real>
LANE_INLINE void solve(const Real* law, const V<Real>* u, V<Real>* x, const LaneLaw<6>*) {
  constexpr int L = lane_count<Real>;
  using Law = LaneLaw<6>;
  const V<Real> zero = {};
  V<Real> n = x[0] - u[0];
  n = n > zero ? n : zero;
  const V<Real> dn = n - x[0];
  const V<Real> per = load(law + L * Law::PerSlide), per_spin = load(law + L * Law::PerSpin);
  const V<Real> t1 = x[1] - per * (u[1] + load(law + L * Law::D10) * dn);
  const V<Real> t2 = x[2] - per * (u[2] + load(law + L * Law::D20) * dn);
  const V<Real> u3 = u[3] + load(law + L * Law::D30) * dn;
  const V<Real> coupled = load(law + L * Law::Coupled), joint = x[3] - per_spin * u3;
  const V<Real> square = t1 * t1 + t2 * t2 + coupled * (joint * joint);
  const V<Real> factor = cut<Real>(square, load(law + L * Law::Slide) * n);
  const V<Real> d1 = factor * t1 - x[1], d2 = factor * t2 - x[2];
  const V<Real> alone = x[3] - per_spin * (u3 + load(law + L * Law::D31) * d1 +
                                           load(law + L * Law::D32) * d2);
  const V<Real> limit = load(law + L * Law::Spin) * n;
  V<Real> s = alone > limit ? limit : alone;
  s = s < -limit ? -limit : s;
  s = coupled > zero ? factor * joint : s;
  const V<Real> d3 = s - x[3];
  const V<Real> per_roll = load(law + L * Law::PerRoll);
  const V<Real> r1 = x[4] - per_roll * (u[4] + load(law + L * Law::D40) * dn +
                                        load(law + L * Law::D41) * d1 +
                                        load(law + L * Law::D42) * d2 +
                                        load(law + L * Law::D43) * d3);
  const V<Real> r2 = x[5] - per_roll * (u[5] + load(law + L * Law::D50) * dn +
                                        load(law + L * Law::D51) * d1 +
                                        load(law + L * Law::D52) * d2 +
                                        load(law + L * Law::D53) * d3);
  const V<Real> rolls = cut<Real>(r1 * r1 + r2 * r2, load(law + L * Law::Roll) * n);
  x[0] = n;
  x[1] = factor * t1;
  x[2] = factor * t2;
  x[3] = s;
  x[4] = rolls * r1;
  x[5] = rolls * r2;
}

// NNCG in the bodies' motions: w goes on by β w_p, w_p takes what the last sweep did.
template <class Real>
LANE_INLINE void move_bodies(const LaneArrays<Real>& a, Real beta) {
  constexpr int L = lane_count<Real>;
  for (int i = 0; i < lane_body * a.bodies; i += L) {
    const V<Real> w = load(a.w + i), further = beta * load(a.w_p + i);
    store(a.w_p + i, further + (w - load(a.w_start + i)));
    store(a.w + i, w + further);
    store(a.w_start + i, w + further);
  }
}

template <class Real, int N>
LANE_TARGET double sweep(const LaneArrays<Real>& a, Real beta) {
  constexpr int L = lane_count<Real>;
  move_bodies<Real>(a, beta);
  V<Real> sum = {};
  for (int batch = 0; batch < a.batches; ++batch) {
    const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(batch) * N * L;
    const Real* H = a.rows + 12 * at;
    const Real* H_B = H + 6 * N * L;
    const int* side = a.sides + static_cast<std::ptrdiff_t>(batch) * 2 * L;
    V<Real> first[lane_body], second[lane_body], u[N], x[N], before[N];
    gather(a.w, side, first);
    gather(a.w, side + L, second);
    for (int j = 0; j < N; ++j) {
      u[j] = load(a.b + at + j * L);
      for (int k = 0; k < 6; ++k) u[j] += load(H + (6 * j + k) * L) * first[k];
      for (int k = 0; k < 6; ++k) u[j] += load(H_B + (6 * j + k) * L) * second[k];
      const V<Real> further = beta * load(a.p + at + j * L);
      store(a.p + at + j * L, further + load(a.g + at + j * L));
      x[j] = before[j] = load(a.l + at + j * L) + further;
    }
    solve<Real>(a.law + static_cast<std::ptrdiff_t>(batch) * LaneLaw<N>::Count * L, u, x,
                static_cast<const LaneLaw<N>*>(nullptr));
    for (int k = 0; k < 6; ++k) first[k] = second[k] = V<Real>{};
    for (int j = 0; j < N; ++j) {
      const V<Real> g = x[j] - before[j];
      store(a.l + at + j * L, x[j]);
      store(a.g + at + j * L, g);
      sum += g * g;
      for (int k = 0; k < 6; ++k) first[k] += load(H + (6 * j + k) * L) * g;
      for (int k = 0; k < 6; ++k) second[k] += load(H_B + (6 * j + k) * L) * g;
    }
    scatter(a.w, side, first);
    scatter(a.w, side + L, second);
  }
  return sum_of<Real>(sum);
}

// As contact_measure.cpp, three rows.
template <class Real>
LANE_TARGET LaneEstimate estimate(const LaneArrays<Real>& a, Real margin) {
  constexpr int L = lane_count<Real>;
  using Law = LaneLaw<3>;
  const V<Real> zero = {}, one = zero + Real(1);
  V<Real> error = {}, size = {}, approach = {}, slip = {};
  for (int batch = 0; batch < a.batches; ++batch) {
    const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(batch) * 3 * L;
    const Real* H = a.rows + 12 * at;
    const int* side = a.sides + static_cast<std::ptrdiff_t>(batch) * 2 * L;
    const Real* law = a.law + static_cast<std::ptrdiff_t>(batch) * Law::Count * L;
    V<Real> first[lane_body], second[lane_body], u[3], l[3];
    gather(a.w, side, first);
    gather(a.w, side + L, second);
    for (int j = 0; j < 3; ++j) {
      l[j] = load(a.l + at + j * L);
      u[j] = load(a.b + at + j * L);
      for (int k = 0; k < 6; ++k) u[j] += load(H + (6 * j + k) * L) * first[k];
      for (int k = 0; k < 6; ++k) u[j] += load(H + (18 + 6 * j + k) * L) * second[k];
    }
    const V<Real> mu = load(law + L * Law::Slide), scale = load(law + L * Law::Scale);
    const V<Real> per = load(law + L * Law::PerSlide), rho = Real(3) * per / (per + Real(2));
    const V<Real> sliding = root(u[1] * u[1] + u[2] * u[2]);
    const V<Real> x0 = l[0] - rho * (u[0] + mu * sliding);
    const V<Real> x1 = l[1] - rho * u[1], x2 = l[2] - rho * u[2];
    const V<Real> t = root(x1 * x1 + x2 * x2);
    V<Real> n = (x0 + mu * t) / (one + mu * mu);
    n = n > zero ? n : zero;
    n = t > mu * x0 ? n : x0;
    const V<Real> factor = t > mu * n ? mu * n / t : one;
    const V<Real> r0 = l[0] - n, r1 = l[1] - factor * x1, r2 = l[2] - factor * x2;
    const V<Real> square = scale * scale;
    error += square * (r0 * r0 + r1 * r1 + r2 * r2);
    size += square * (l[0] * l[0] + l[1] * l[1] + l[2] * l[2]);
    const V<Real> inverse = scale > zero ? one / scale : zero;
    approach = larger<Real>(approach, -u[0] * inverse);
    const V<Real> inside = scale * (mu * l[0] - root(l[1] * l[1] + l[2] * l[2]));
    slip = larger<Real>(slip, inside > margin ? sliding * inverse : zero);
  }
  return {__builtin_sqrt(sum_of<Real>(error)), __builtin_sqrt(sum_of<Real>(size)),
          largest_of<Real>(approach), largest_of<Real>(slip)};
}

template <class Real>
LANE_TARGET double dot(std::size_t n, const Real* a, const Real* b) {
  V<Real> sum = {};
  for (std::size_t i = 0; i < n; i += lane_count<Real>) sum += load(a + i) * load(b + i);
  return sum_of<Real>(sum);
}

template <class Real>
LANE_TARGET void difference(std::size_t n, const Real* a, Real* last, Real* d) {
  for (std::size_t i = 0; i < n; i += lane_count<Real>) {
    const V<Real> now = load(a + i);
    store(d + i, now - load(last + i));
    store(last + i, now);
  }
}

template <class Real>
LANE_TARGET void combine(std::size_t n, int columns, const double* gamma, const Real* const* d,
                         Real* a) {
  for (std::size_t i = 0; i < n; i += lane_count<Real>) {
    V<Real> x = load(a + i);
    for (int k = 0; k < columns; ++k) x -= static_cast<Real>(gamma[k]) * load(d[k] + i);
    store(a + i, x);
  }
}

template <class Real>
const LaneKernel<Real>& kernel() {
  static constexpr LaneKernel<Real> result = {sweep<Real, 3>, sweep<Real, 6>, estimate<Real>, dot<Real>,
                                              difference<Real>, combine<Real>};
  return result;
}

#undef LANE_INLINE

}  // namespace LANE_SET
