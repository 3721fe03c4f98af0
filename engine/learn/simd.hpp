// Vectors of floats whose width is a template parameter, so that every kernel is written once for all widths.
//
// The vectors are the compiler's own (GCC and Clang): arithmetic on them becomes the instructions of
// whichever function it is inlined into. All functions here and in kernel_templates.hpp are always inlined
// and carry no target attribute of their own; kernels.cpp instantiates them in functions that do. So no copy
// of them, or of anything they call, exists that needs more than the baseline processor.
//
// Width 1 is a plain float: what compilers without vector types (MSVC) get.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__GNUC__)
#define JIMBOT_ALWAYS_INLINE [[gnu::always_inline]] inline
#else
#define JIMBOT_ALWAYS_INLINE __forceinline
#endif

// Values stay in registers only if the loops over them are unrolled.
#if defined(__clang__)
#define JIMBOT_UNROLL _Pragma("clang loop unroll(full)")
#elif defined(__GNUC__)
#define JIMBOT_UNROLL _Pragma("GCC unroll 16")
#else
#define JIMBOT_UNROLL
#endif

namespace jimbot::learn {

template <int Width> struct VectorTypes {
#if defined(__GNUC__)
    using Floats __attribute__((vector_size(Width * sizeof(float)))) = float;
    using Integers __attribute__((vector_size(Width * sizeof(std::int32_t)))) = std::int32_t;
    using Unsigned __attribute__((vector_size(Width * sizeof(std::uint32_t)))) = std::uint32_t;
    using Shorts __attribute__((vector_size(Width * sizeof(std::int16_t)))) = std::int16_t;
    using Bytes __attribute__((vector_size(Width * sizeof(std::uint8_t)))) = std::uint8_t;
#endif
};

template <> struct VectorTypes<1> {
    using Floats = float;
    using Integers = std::int32_t;
    using Unsigned = std::uint32_t;
    using Bytes = std::uint8_t;
};

// `Width` conditions: every lane is -1 (true) or 0 (false).
template <int Width> struct Mask {
    typename VectorTypes<Width>::Integers lanes;

    // The first `count` bytes from `from`, true where a byte is not 0; lanes beyond them are false.
    JIMBOT_ALWAYS_INLINE static Mask load(const std::uint8_t* from, int count) {
        typename VectorTypes<Width>::Bytes bytes{};
        if (count >= Width) {
            std::memcpy(&bytes, from, Width);
        } else {
            std::memcpy(&bytes, from, static_cast<std::size_t>(count));
        }
        if constexpr (Width == 1) {
            return {bytes != 0 ? -1 : 0};
        } else {
#if defined(__GNUC__)
            // In two steps: GCC converts to a type of four times the size one element at a time.
            const auto shorts = __builtin_convertvector(bytes, typename VectorTypes<Width>::Shorts);
            return {__builtin_convertvector(shorts, typename VectorTypes<Width>::Integers) != 0};
#endif
        }
    }

    JIMBOT_ALWAYS_INLINE bool any() const {
        std::int32_t values[static_cast<std::size_t>(Width)];
        std::memcpy(values, &lanes, sizeof values);
        std::int32_t found = 0;
        JIMBOT_UNROLL
        for (const std::int32_t value : values) {
            found |= value;
        }
        return found != 0;
    }
};

template <int Width> struct FloatVector {
    using Floats = typename VectorTypes<Width>::Floats;

    Floats lanes;

    JIMBOT_ALWAYS_INLINE static FloatVector load(const float* from) {
        FloatVector vector;
        std::memcpy(&vector.lanes, from, sizeof vector.lanes);
        return vector;
    }
    // The first `count` floats from `from`; lanes beyond them are 0.
    JIMBOT_ALWAYS_INLINE static FloatVector load(const float* from, int count) {
        if (count >= Width) {
            return load(from);
        }
        FloatVector vector{};
        std::memcpy(&vector.lanes, from, static_cast<std::size_t>(count) * sizeof(float));
        return vector;
    }
    JIMBOT_ALWAYS_INLINE static FloatVector broadcast(float value) { return {Floats{} + value}; }

    JIMBOT_ALWAYS_INLINE void store(float* to) const { std::memcpy(to, &lanes, sizeof lanes); }
    JIMBOT_ALWAYS_INLINE void store(float* to, int count) const {
        if (count >= Width) {
            store(to);
        } else {
            std::memcpy(to, &lanes, static_cast<std::size_t>(count) * sizeof(float));
        }
    }

    JIMBOT_ALWAYS_INLINE friend FloatVector operator+(const FloatVector& a, const FloatVector& b) {
        return {a.lanes + b.lanes};
    }
    JIMBOT_ALWAYS_INLINE friend FloatVector operator-(const FloatVector& a, const FloatVector& b) {
        return {a.lanes - b.lanes};
    }
    JIMBOT_ALWAYS_INLINE friend FloatVector operator*(const FloatVector& a, const FloatVector& b) {
        return {a.lanes * b.lanes};
    }
    JIMBOT_ALWAYS_INLINE friend FloatVector operator*(const FloatVector& a, float b) { return {a.lanes * b}; }
    JIMBOT_ALWAYS_INLINE friend FloatVector operator+(const FloatVector& a, float b) { return {a.lanes + b}; }
    JIMBOT_ALWAYS_INLINE friend FloatVector operator-(const FloatVector& a, float b) { return {a.lanes - b}; }
    JIMBOT_ALWAYS_INLINE friend Mask<Width> operator<(const FloatVector& a, const FloatVector& b) {
        if constexpr (Width == 1) {
            return {a.lanes < b.lanes ? -1 : 0};
        } else {
            return {a.lanes < b.lanes};
        }
    }

    // Adds a * b; one fused multiply-add where the processor has it.
    JIMBOT_ALWAYS_INLINE void add_product(const FloatVector& a, float b) { lanes += a.lanes * b; }
    JIMBOT_ALWAYS_INLINE void add_product(const FloatVector& a, const FloatVector& b) {
        lanes += a.lanes * b.lanes;
    }

    // The sum of all lanes, always in the same order: halves are added until one lane is left.
    JIMBOT_ALWAYS_INLINE float sum() const {
        float values[static_cast<std::size_t>(Width)];
        store(values);
        for (int half = Width / 2; half > 0; half /= 2) {
            for (int i = 0; i < half; ++i) {
                values[i] += values[i + half];
            }
        }
        return values[0];
    }
    JIMBOT_ALWAYS_INLINE float max() const {
        float values[static_cast<std::size_t>(Width)];
        store(values);
        float largest = values[0];
        for (const float value : values) {
            largest = largest < value ? value : largest;
        }
        return largest;
    }
};

// Lane by lane: `a` where the mask is true, else `b`.
template <int Width>
JIMBOT_ALWAYS_INLINE FloatVector<Width> select(const Mask<Width>& mask, const FloatVector<Width>& a,
                                               const FloatVector<Width>& b) {
    return {mask.lanes ? a.lanes : b.lanes};
}

// Whole powers of 2 from floats of the form 1.5 * 2^23 + n, whose lowest bits are n: 2^n for -127 < n < 128.
template <int Width> JIMBOT_ALWAYS_INLINE FloatVector<Width> power_of_two(const FloatVector<Width>& shifted) {
    constexpr std::uint32_t kBias = 127;  // of a float's exponent, which stands above 23 bits of mantissa
    typename VectorTypes<Width>::Unsigned bits;
    std::memcpy(&bits, &shifted.lanes, sizeof bits);
    bits = (bits + kBias) << 23;
    FloatVector<Width> power;
    std::memcpy(&power.lanes, &bits, sizeof bits);
    return power;
}

// e^x for x <= 0, to the last bit or two: a whole power of 2 times a polynomial (Cephes' expf). It is 0 below
// -87, where floats end, and NaN for NaN.
template <int Width> JIMBOT_ALWAYS_INLINE FloatVector<Width> exp_nonpositive(const FloatVector<Width>& x) {
    using Vector = FloatVector<Width>;
    constexpr float kRound = 12582912.0F;  // 1.5 * 2^23: adding it leaves no bits for a fraction
    const Vector lowest = Vector::broadcast(-87.0F);
    const Mask<Width> too_low = x < lowest;
    const Vector bounded = select(too_low, lowest, x);
    const Vector shifted = bounded * 1.44269504F + kRound;
    const Vector whole = shifted - kRound;
    // x - whole * ln 2, with ln 2 in two parts so that the products are exact.
    const Vector rest = bounded + whole * -0.693359375F + whole * 2.12194440e-4F;
    Vector sum = rest * 1.98756915e-4F + 1.39819995e-3F;
    sum = sum * rest + 8.33345205e-3F;
    sum = sum * rest + 4.16657962e-2F;
    sum = sum * rest + 1.66666657e-1F;
    sum = sum * rest + 5.00000001e-1F;
    sum = sum * rest * rest + rest + 1.0F;
    return select(too_low, Vector{}, sum * power_of_two(shifted));
}

}  // namespace jimbot::learn
