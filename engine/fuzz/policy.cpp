#include "fuzz/policy.hpp"

#include <algorithm>

#include "catalog/catalog.hpp"
#include "rules/cards.hpp"
#include "rules/game.hpp"
#include "rules/owned.hpp"
#include "rules/pools.hpp"
#include "rules/run.hpp"
#include "view/preview.hpp"

namespace jimbot::fuzz {

namespace {

// Relative frequencies of the kinds of actions, among those that are legal.
constexpr int kWeights[kActionKinds] = {
    30,  // play_hand
    14,  // discard
    40,  // select_blind
    12,  // skip_blind
    10,  // reroll_boss
    40,  // cash_out
    24,  // buy_card
    20,  // buy_and_use
    20,  // redeem_voucher
    24,  // open_pack
    10,  // reroll_shop
    12,  // leave_shop
    1,   // sell_joker
    2,   // sell_consumable
    12,  // use_consumable
    40,  // pick_card
    6,   // skip_pack
    1,   // move_joker
    1,   // move_card
    1,   // sort_hand
};

bool rearranges(ActionKind kind) {
    return kind == ActionKind::sell_joker || kind == ActionKind::move_joker ||
           kind == ActionKind::move_card || kind == ActionKind::sort_hand;
}

std::string random_seed(Random& random) {
    constexpr char kLetters[] = "123456789ABCDEFGHIJKLMNPQRSTUVWXYZ";
    std::string seed;
    const int length = random.one_in(8) ? 1 + random.below(kMaxSeedLength) : kMaxSeedLength;
    for (int i = 0; i < length; ++i) {
        seed += kLetters[random.below(static_cast<int>(sizeof kLetters) - 1)];
    }
    return seed;
}

Action best_of_some(const State& state, const std::vector<Action>& plays, Random& random) {
    Action best = plays[static_cast<std::size_t>(random.below(static_cast<int>(plays.size())))];
    double score = preview_play(state, best.mask).mean;
    for (int i = 0; i < 12; ++i) {
        const Action other = plays[static_cast<std::size_t>(random.below(static_cast<int>(plays.size())))];
        const double value = preview_play(state, other.mask).mean;
        if (value > score) {
            best = other;
            score = value;
        }
    }
    return best;
}

// Jokers that multiply by what they have stored, with nothing stored at first.
bool multiplies_by_stored_value(const JokerEntry& entry) {
    return entry.start_value == 1.0 && entry.traits.multiplies == Multiplies::in_joker_stage;
}

// A joker that may be added: there is a free slot, its key does not exist yet, and it may have its stickers.
// Now and then its stored value is so large that scores become infinite.
bool choose_joker(const State& state, const GamePlan& plan, Random& random, Event& event) {
    const int id = 1 + random.below(j_end - 1);
    int edition = random.one_in(3) ? 1 + random.below(e_end - 1) : 0;
    edition = plan.crowded ? int{e_negative} : edition;
    const PoolPlace place = kJokerPlaces[static_cast<std::size_t>(id)];
    const bool exists = ((state.existing[static_cast<std::size_t>(place.pool)] >> place.index) & 1) != 0;
    if (exists || (!joker_room(state) && edition != e_negative) || state.joker_count >= kMaxJokers) {
        return false;
    }
    const JokerEntry& entry = kJokers[static_cast<std::size_t>(id)];
    unsigned stickers = random.one_in(4) ? unsigned{sticker_rental} : 0;
    if (entry.can_be_eternal && random.one_in(4)) {
        stickers |= sticker_eternal;
    } else if (entry.can_be_perishable && plan.challenge == 0 && random.one_in(4)) {
        stickers |= sticker_perishable;
    }
    const unsigned huge = multiplies_by_stored_value(entry) && random.one_in(3) ? 1 : 0;
    event = {Event::Kind::joker, {}, id, static_cast<unsigned>(edition) | (stickers << 8) | (huge << 16)};
    return true;
}

bool choose_consumable(const State& state, const GamePlan& plan, Random& random, Event& event) {
    const int id = 1 + random.below(c_end - 1);
    const int edition = plan.crowded || random.one_in(8) ? int{e_negative} : 0;
    if (consumable_blocked(state, id) || (!consumable_room(state) && edition != e_negative) ||
        state.consumable_count >= kMaxConsumables) {
        return false;
    }
    event = {Event::Kind::consumable, {}, id, static_cast<unsigned>(edition)};
    return true;
}

bool choose_voucher(const State& state, Random& random, Event& event) {
    const int id = 1 + random.below(v_end - 1);
    const VoucherId needed = kVouchers[static_cast<std::size_t>(id)].requires_voucher;
    const bool shown = id == state.voucher || state.shop.open != 0;
    if (shown || redeemed(state, static_cast<VoucherId>(id)) ||
        (needed != v_none && !redeemed(state, needed)) || id == v_hieroglyph || id == v_petroglyph) {
        return false;
    }
    event = {Event::Kind::voucher, {}, id, 0};
    return true;
}

bool choose_boss(const State& state, Random& random, Event& event) {
    if (state.phase != Phase::blind_select || state.blind_on_deck != 2) {
        return false;
    }
    event = {Event::Kind::boss, {}, bl_hook + random.below(bl_end - bl_hook), 0};
    return true;
}

bool choose_card(const State& state, Random& random, Event& event) {
    if (state.phase == Phase::playing || state.card_count == 0) {
        return false;
    }
    const auto enhancement = static_cast<unsigned>(random.below(m_end));
    const auto edition = static_cast<unsigned>(random.one_in(2) ? random.below(e_negative) : 0);
    const auto seal = static_cast<unsigned>(random.one_in(2) ? random.below(s_end) : 0);
    event = {
        Event::Kind::card, {}, random.below(state.card_count), enhancement | (edition << 8) | (seal << 16)};
    return true;
}

}  // namespace

GamePlan plan_game(std::uint64_t batch, std::uint64_t number) {
    Random random(batch * 0x9e3779b97f4a7c15 + number);
    random.next();
    GamePlan plan;
    plan.batch = batch;
    plan.number = number;
    plan.seed = random_seed(random);
    plan.deck = static_cast<DeckId>(1 + random.below(b_erratic));
    plan.stake = 1 + random.below(8);
    plan.challenge = random.one_in(4) ? 1 + random.below(20) : 0;
    if (plan.challenge != 0) {  // brings its own deck and is played at White Stake
        plan.deck = b_red;
        plan.stake = 1;
    }
    plan.fresh_profile = random.one_in(6);
    plan.endless = random.one_in(2);
    plan.boosted = random.one_in(2);
    plan.careful = random.one_in(2);
    plan.unsettled = random.one_in(6);
    plan.crowded = plan.boosted && random.one_in(40);
    plan.max_steps = plan.crowded ? 150 : !plan.boosted ? 600 : random.one_in(8) ? 2000 : 500;
    return plan;
}

std::vector<Action> legal_list(const State& state) {
    std::vector<Action> legal;
    each_legal_action(state, [&](const Action& action) { legal.push_back(action); });
    return legal;
}

Action choose_action(const State& state, const std::vector<Action>& legal, const GamePlan& plan,
                     Random& random) {
    int weight[kActionKinds] = {};
    int total = 0;
    for (const Action& action : legal) {
        const auto kind = static_cast<std::size_t>(action.kind);
        if (weight[kind] == 0) {
            weight[kind] = kWeights[kind] * (plan.unsettled && rearranges(action.kind) ? 8 : 1);
            total += weight[kind];
        }
    }
    int roll = random.below(total);
    int kind = 0;
    while (roll >= weight[kind]) {
        roll -= weight[kind++];
    }
    std::vector<Action> chosen;
    bool position[256] = {};
    std::vector<std::uint8_t> positions;
    for (const Action& action : legal) {
        if (static_cast<int>(action.kind) == kind && !position[action.a]) {
            position[action.a] = true;
            positions.push_back(action.a);
        }
    }
    const std::uint8_t at =
        positions[static_cast<std::size_t>(random.below(static_cast<int>(positions.size())))];
    for (const Action& action : legal) {
        if (static_cast<int>(action.kind) == kind && action.a == at) {
            chosen.push_back(action);
        }
    }
    if (plan.careful && kind == static_cast<int>(ActionKind::play_hand)) {
        return best_of_some(state, chosen, random);
    }
    return chosen[static_cast<std::size_t>(random.below(static_cast<int>(chosen.size())))];
}

Action any_action(const State& state, const std::vector<Action>& legal, Random& random) {
    if (!legal.empty() && random.one_in(2)) {
        // A legal action with one part changed.
        Action action = legal[static_cast<std::size_t>(random.below(static_cast<int>(legal.size())))];
        switch (random.below(4)) {
        case 0:
            action.kind = static_cast<ActionKind>(random.below(kActionKinds));
            break;
        case 1:
            action.a = static_cast<std::uint8_t>(random.below(8));
            break;
        case 2:
            action.b = static_cast<std::uint8_t>(random.below(24));
            break;
        default:
            action.mask ^= std::uint32_t{1} << random.below(std::min(32, state.hand_count + 2));
            break;
        }
        return action;
    }
    Action action{};
    action.kind = static_cast<ActionKind>(random.one_in(16) ? random.below(256) : random.below(kActionKinds));
    action.a = static_cast<std::uint8_t>(random.one_in(8) ? random.below(256) : random.below(6));
    action.b = static_cast<std::uint8_t>(random.one_in(8) ? random.below(256) : random.below(10));
    action.mask = static_cast<std::uint32_t>(random.next());
    for (int i = random.below(5); i >= 0; --i) {
        action.mask &= static_cast<std::uint32_t>(random.next());
    }
    if (random.one_in(2)) {
        action.mask &= (std::uint32_t{1} << std::min<int>(31, state.hand_count)) - 1;
    }
    return action;
}

bool choose_boost(const State& state, const GamePlan& plan, Random& random, Event& event) {
    if (state.phase == Phase::playing && state.round.target > 0 && random.one_in(4)) {
        event = {Event::Kind::zero_target, {}, 0, 0};
        return true;
    }
    switch (random.below(plan.crowded ? 12 : 20)) {
    case 0:
    case 1:
        event = {Event::Kind::money, {}, 5 + random.below(60), 0};
        return true;
    case 2:
    case 3:
        return choose_joker(state, plan, random, event);
    case 4:
        return choose_consumable(state, plan, random, event);
    case 5:
        return random.one_in(8) && choose_voucher(state, random, event);
    case 6:
    case 7:
        return choose_boss(state, random, event);
    case 8:
    case 9:
        return choose_card(state, random, event);
    case 10:
        event = {Event::Kind::more_cards, {}, random.below(std::max<int>(1, state.card_count)), 0};
        return plan.crowded && state.card_count > 0;
    case 11:
        event = {Event::Kind::hand_size, {}, 3, 0};
        return plan.crowded && random.one_in(4);
    default:
        return false;
    }
}

void apply_boost(State& state, const Event& event) {
    const auto part = [&](int place) { return static_cast<std::uint8_t>(event.detail >> (8 * place)); };
    switch (event.kind) {
    case Event::Kind::zero_target:
        state.round.target = 0;
        break;
    case Event::Kind::money:
        earn(state, event.what);
        break;
    case Event::Kind::joker: {
        Item item{};
        item.kind = ItemKind::joker;
        item.id = static_cast<std::uint8_t>(event.what);
        item.edition = part(0);
        item.stickers = part(1);
        item.card.created = state.next_created++;
        item.hand = hand_types;
        if (has_own_hand(item.id)) {
            item.hand = draw_visible_hand(state, Stream::to_do, hand_types);
        }
        Joker joker = joker_from_item(state, item);
        joker.value = part(2) != 0 ? 1e200 : joker.value;
        add_joker(state, joker);
        break;
    }
    case Event::Kind::consumable:
        add_consumable(state, {state.next_created++, 0, static_cast<std::uint8_t>(event.what), part(0)});
        break;
    case Event::Kind::voucher:
        redeem_voucher(state, static_cast<VoucherId>(event.what));
        break;
    case Event::Kind::boss:
        state.boss = static_cast<std::uint8_t>(event.what);
        break;
    case Event::Kind::card:
        state.cards[event.what].enhancement = part(0);
        state.cards[event.what].edition = part(1);
        state.cards[event.what].seal = part(2);
        break;
    case Event::Kind::more_cards: {
        const Card card = state.cards[event.what];
        for (int i = 0; i < 8; ++i) {
            gain_card(state, card, CardPlace::draw_pile);
        }
        break;
    }
    case Event::Kind::hand_size:
        state.base_hand_size = static_cast<std::int16_t>(state.base_hand_size + event.what);
        break;
    case Event::Kind::action:
    case Event::Kind::mutant:
        break;
    }
}

}  // namespace jimbot::fuzz
