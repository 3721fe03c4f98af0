// What the redeemed vouchers come to, field by field of VoucherEntry.
#pragma once

#include <algorithm>
#include <bit>

#include "catalog/vouchers.hpp"
#include "core/state.hpp"

namespace jimbot {

// The vouchers that set a field, as bits of State::vouchers: the others are not looked at.
template <auto field>
inline constexpr std::uint32_t kVouchersWith = [] {
    std::uint32_t mask = 0;
    for (int id = 1; id < v_end; ++id) {
        mask |= kVouchers[static_cast<std::size_t>(id)].*field != VoucherEntry{}.*field ? bit(id) : 0;
    }
    return mask;
}();

template <auto field> bool any_voucher_with(const State& state) {
    return (state.vouchers & kVouchersWith<field>) != 0;
}

// Calls visit(entry) for every redeemed voucher that sets the field.
template <auto field, typename Visit> void each_voucher_with(const State& state, Visit visit) {
    for (std::uint32_t left = state.vouchers & kVouchersWith<field>; left != 0; left &= left - 1) {
        const int id = 1 + std::countr_zero(left);
        visit(kVouchers[static_cast<std::size_t>(id)]);
    }
}

template <auto field> int voucher_sum(const State& state) {
    int sum = 0;
    each_voucher_with<field>(state, [&](const VoucherEntry& entry) { sum += entry.*field; });
    return sum;
}

// The largest value of a field, or `usual` if it is larger.
template <auto field, typename Value> Value voucher_max(const State& state, Value usual) {
    Value most = usual;
    each_voucher_with<field>(
        state, [&](const VoucherEntry& entry) { most = std::max(most, static_cast<Value>(entry.*field)); });
    return most;
}

}  // namespace jimbot
