#include "fuzz/record.hpp"

#include <map>
#include <string_view>

#include "catalog/catalog.hpp"

namespace jimbot::fuzz {

namespace {

constexpr std::string_view kKindNames[] = {
    "play_hand",   "discard",    "select_blind", "skip_blind",      "reroll_boss",
    "cash_out",    "buy_card",   "buy_and_use",  "redeem_voucher",  "open_pack",
    "reroll_shop", "leave_shop", "sell_joker",   "sell_consumable", "use_consumable",
    "pick_card",   "skip_pack",  "move_joker",   "move_card",       "sort_hand",
};
static_assert(std::size(kKindNames) == kActionKinds);

std::string quoted(std::string_view text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            result += '\\';
        }
        result += c;
    }
    return result + "\"";
}

std::string hexadecimal(const std::vector<unsigned char>& bytes) {
    constexpr char kDigits[] = "0123456789abcdef";
    std::string result;
    result.reserve(bytes.size() * 2);
    for (const unsigned char byte : bytes) {
        result += kDigits[byte >> 4];
        result += kDigits[byte & 15];
    }
    return result;
}

std::string event_json(const Event& event) {
    constexpr std::string_view kNames[] = {"action",  "zero_target", "money", "joker",      "consumable",
                                           "voucher", "boss",        "card",  "more_cards", "hand_size"};
    std::string result = "[" + quoted(kNames[static_cast<std::size_t>(event.kind)]);
    if (event.kind == Event::Kind::action) {
        result += ", " + std::to_string(static_cast<int>(event.action.kind)) + ", " +
                  std::to_string(event.action.a) + ", " + std::to_string(event.action.b) + ", " +
                  std::to_string(event.action.mask);
    } else {
        result += ", " + std::to_string(event.what) + ", " + std::to_string(event.detail);
    }
    return result + "]";
}

// An object of the counts that are not zero, by name.
template <typename Counts, typename Name> std::string counts_json(const Counts& counts, Name name) {
    std::string result = "{";
    for (std::size_t i = 0; i < counts.size(); ++i) {
        if (counts[i] != 0) {
            result += (result.size() > 1 ? ", " : "") + quoted(name(i)) + ": " + std::to_string(counts[i]);
        }
    }
    return result + "}";
}

}  // namespace

std::string failure_json(const Failure& failure) {
    const GamePlan& plan = failure.plan;
    std::string result =
        "{\n  \"check\": " + quoted(failure.check) + ",\n  \"detail\": " + quoted(failure.detail);
    result +=
        ",\n  \"batch\": " + std::to_string(plan.batch) + ",\n  \"game\": " + std::to_string(plan.number);
    result += ",\n  \"seed\": " + quoted(plan.seed) + ",\n  \"deck\": " + quoted(kDecks[plan.deck].key);
    result += ",\n  \"stake\": " + std::to_string(plan.stake) + ",\n  \"challenge\": ";
    result +=
        plan.challenge == 0 ? "null" : quoted(kChallenges[static_cast<std::size_t>(plan.challenge)].key);
    result += std::string(",\n  \"profile\": ") + (plan.fresh_profile ? "\"fresh\"" : "\"all\"");
    result += std::string(",\n  \"endless\": ") + (plan.endless ? "true" : "false");
    result += ",\n  \"events\": [";
    for (std::size_t i = 0; i < failure.events.size(); ++i) {
        result += (i > 0 ? ", " : "") + event_json(failure.events[i]);
    }
    return result + "],\n  \"before\": \"" + hexadecimal(failure.before) + "\"\n}\n";
}

std::string report_json(const Report& report, const std::string& indent) {
    std::map<std::string, int> failures;
    for (const Failure& failure : report.failures) {
        ++failures[failure.check];
    }
    std::string failed = "{";
    for (const auto& [check, count] : failures) {
        failed += (failed.size() > 1 ? ", " : "") + quoted(check) + ": " + std::to_string(count);
    }
    failed += "}";
    std::string result;
    const auto line = [&](std::string_view name, const std::string& value) {
        result += (result.empty() ? "" : ",\n") + indent + quoted(name) + ": " + value;
    };
    const auto key_of = [](const auto& table) {
        return [&](std::size_t i) { return std::string(table[i].key); };
    };
    line("games", std::to_string(report.games));
    line("nodes", std::to_string(report.nodes));
    line("failures", failed);
    line("wins", std::to_string(report.wins));
    line("losses", std::to_string(report.losses));
    line("cut_short", std::to_string(report.cut_short));
    line("max_ante", std::to_string(report.max_ante));
    line("max_jokers", std::to_string(report.max_jokers));
    line("max_cards", std::to_string(report.max_cards));
    line("max_hand", std::to_string(report.max_hand));
    line("max_score", quoted(std::to_string(report.max_score)));
    line("legal_actions_applied", std::to_string(report.applied));
    line("illegal_actions_refused", std::to_string(report.refused));
    line("previews", std::to_string(report.previews));
    line("plays_as_foreseen", std::to_string(report.exact_plays));
    line("plays_with_luck_in_bounds", std::to_string(report.lucky_plays));
    line("twins", std::to_string(report.twins));
    line("twins_with_another_next_state", std::to_string(report.twins_apart));
    line("hash", quoted(std::to_string(report.hash)));
    line("actions", counts_json(report.kinds, [](std::size_t i) { return std::string(kKindNames[i]); }));
    line("decks", counts_json(report.decks, key_of(kDecks)));
    line("stakes", counts_json(report.stakes, [](std::size_t i) { return std::to_string(i); }));
    line("challenges", counts_json(report.challenges, [](std::size_t i) {
             return i == 0 ? "none" : std::string(kChallenges[i].key);
         }));
    line("plays_by_blind", counts_json(report.blinds, key_of(kBlinds)));
    line("plays_with_joker", counts_json(report.jokers, key_of(kJokers)));
    line("uses_of_consumable", counts_json(report.consumables, key_of(kConsumables)));
    line("vouchers_redeemed", counts_json(report.vouchers, key_of(kVouchers)));
    return result;
}

}  // namespace jimbot::fuzz
