#include "fuzz/record.hpp"

#include <map>
#include <sstream>
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

constexpr std::string_view kEventNames[] = {"action",     "zero_target", "money", "joker",
                                            "consumable", "voucher",     "boss",  "card",
                                            "more_cards", "hand_size",   "mutant"};

// Text in quotes; `text` holds no control characters.
struct Quoted {
    std::string_view text;
};

std::ostream& operator<<(std::ostream& out, const Quoted& quoted) {
    out << '"';
    for (const char c : quoted.text) {
        if (c == '"' || c == '\\') {
            out << '\\';
        }
        out << c;
    }
    return out << '"';
}

void write_hexadecimal(std::ostream& out, const std::vector<unsigned char>& bytes) {
    constexpr char kDigits[] = "0123456789abcdef";
    for (const unsigned char byte : bytes) {
        out << kDigits[byte >> 4] << kDigits[byte & 15];
    }
}

void write_event(std::ostream& out, const Event& event) {
    out << '[' << Quoted{kEventNames[static_cast<std::size_t>(event.kind)]};
    if (event.kind == Event::Kind::action) {
        out << ", " << static_cast<int>(event.action.kind) << ", " << int{event.action.a} << ", "
            << int{event.action.b} << ", " << event.action.mask;
    } else {
        out << ", " << event.what << ", " << event.detail;
    }
    out << ']';
}

// An object of the counts that are not zero, by name.
template <typename Counts, typename Name>
void write_counts(std::ostream& out, const Counts& counts, Name name) {
    const char* between = "";
    out << '{';
    for (std::size_t i = 0; i < counts.size(); ++i) {
        if (counts[i] != 0) {
            out << between << Quoted{name(i)} << ": " << counts[i];
            between = ", ";
        }
    }
    out << '}';
}

void write_failures(std::ostream& out, const std::vector<Failure>& failures) {
    std::map<std::string_view, int> by_check;
    for (const Failure& failure : failures) {
        ++by_check[failure.check];
    }
    const char* between = "";
    out << '{';
    for (const auto& [check, count] : by_check) {
        out << between << Quoted{check} << ": " << count;
        between = ", ";
    }
    out << '}';
}

}  // namespace

std::string failure_json(const Failure& failure) {
    const GamePlan& plan = failure.plan;
    std::ostringstream out;
    out << "{\n  \"check\": " << Quoted{failure.check} << ",\n  \"detail\": " << Quoted{failure.detail};
    out << ",\n  \"batch\": " << plan.batch << ",\n  \"game\": " << plan.number;
    out << ",\n  \"seed\": " << Quoted{plan.seed} << ",\n  \"deck\": " << Quoted{kDecks[plan.deck].key};
    out << ",\n  \"stake\": " << plan.stake << ",\n  \"challenge\": ";
    if (plan.challenge == 0) {
        out << "null";
    } else {
        out << Quoted{kChallenges[static_cast<std::size_t>(plan.challenge)].key};
    }
    out << ",\n  \"profile\": " << Quoted{plan.fresh_profile ? "fresh" : "all"};
    out << ",\n  \"endless\": " << (plan.endless ? "true" : "false") << ",\n  \"events\": [";
    const char* between = "";
    for (const Event& event : failure.events) {
        out << between;
        write_event(out, event);
        between = ", ";
    }
    out << "],\n  \"before\": \"";
    write_hexadecimal(out, failure.before);
    out << "\"\n}\n";
    return out.str();
}

std::string report_json(const Report& report) {
    std::ostringstream out;
    const auto number = [&](std::string_view name, auto value) {
        out << "  " << Quoted{name} << ": " << value << ",\n";
    };
    const auto counts = [&](std::string_view name, const auto& values, auto name_of,
                            const char* end = ",\n") {
        out << "  " << Quoted{name} << ": ";
        write_counts(out, values, name_of);
        out << end;
    };
    const auto key_of = [](const auto& table) { return [&](std::size_t i) { return table[i].key; }; };
    out << "{\n";
    number("games", report.games);
    number("nodes", report.nodes);
    out << "  \"failures\": ";
    write_failures(out, report.failures);
    out << ",\n";
    number("wins", report.wins);
    number("losses", report.losses);
    number("cut_short", report.cut_short);
    number("max_ante", report.max_ante);
    number("max_jokers", report.max_jokers);
    number("max_cards", report.max_cards);
    number("max_hand", report.max_hand);
    out << "  \"max_score\": " << Quoted{std::to_string(report.max_score)} << ",\n";
    number("legal_actions_applied", report.applied);
    number("illegal_actions_refused", report.refused);
    number("previews", report.previews);
    number("plays_as_previewed", report.exact_plays);
    number("chance_plays_within_bounds", report.chance_plays);
    number("resampled_copies", report.resampled);
    number("resampled_copies_with_another_next_state", report.resampled_apart);
    number("mutants", report.mutants);
    number("records_compared", report.records);
    out << "  \"hash\": " << Quoted{std::to_string(report.hash)} << ",\n";
    counts("actions", report.kinds, [](std::size_t i) { return kKindNames[i]; });
    counts("decks", report.decks, key_of(kDecks));
    counts("stakes", report.stakes, [](std::size_t i) { return kStakes[i].key; });
    counts("challenges", report.challenges,
           [](std::size_t i) { return i == 0 ? "none" : kChallenges[i].key; });
    counts("plays_by_blind", report.blinds, key_of(kBlinds));
    counts("plays_with_joker", report.jokers, key_of(kJokers));
    counts("uses_of_consumable", report.consumables, key_of(kConsumables));
    counts("vouchers_redeemed", report.vouchers, key_of(kVouchers), "\n}\n");
    return out.str();
}

}  // namespace jimbot::fuzz
