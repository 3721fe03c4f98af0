// What jokers declare about themselves: that fast previews and remembered strengths built on it are right,
// that nothing declared is safe, and that what is declared is true.

#include <algorithm>
#include <cstring>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "catalog/catalog.hpp"
#include "play/build_strength.hpp"
#include "rules/game.hpp"
#include "rules/owned.hpp"
#include "rules/run.hpp"
#include "rules/scoring.hpp"
#include "tests/check.hpp"
#include "view/composer.hpp"
#include "view/offers.hpp"
#include "view/preview.hpp"
#include "view/preview_all.hpp"
#include "view/put_back.hpp"
#include "view/strength.hpp"

using namespace jimbot;

namespace {

using Names = std::set<std::string>;

std::string name_of(int id) { return std::string(kJokers[static_cast<std::size_t>(id)].key); }

State start(std::string_view seed) {
    State state{};
    RunOptions options;
    options.seed = seed;
    start_run(state, options);
    return state;
}

void give_joker(State& state, int id, EditionId edition = e_none) {
    Item item{};
    item.kind = ItemKind::joker;
    item.id = static_cast<std::uint8_t>(id);
    item.edition = edition;
    item.card.created = state.next_created++;
    add_joker(state, joker_from_item(state, item));
}

struct HandCard {
    int rank;
    int suit;
    EnhancementId enhancement = m_none;
    SealId seal = s_none;
};

// Most of what jokers look for: faces, low cards, a straight, a flush, pairs, enhancements and red seals.
constexpr HandCard kRichHand[] = {
    {kKing, suit_hearts, m_none, s_red},
    {kQueen, suit_hearts},
    {kJack, suit_hearts, m_lucky, s_red},
    {10, suit_hearts, m_gold},
    {9, suit_hearts},
    {9, suit_spades, m_none, s_red},
    {8, suit_clubs, m_none, s_red},
    {2, suit_diamonds, m_mult, s_red},
    {kKing, suit_diamonds, m_steel},
};
// Black cards, without a face or an enhancement.
constexpr HandCard kBlackHand[] = {{kAce, suit_spades}, {kAce, suit_clubs}, {8, suit_spades},
                                   {8, suit_clubs},     {6, suit_spades},   {5, suit_clubs},
                                   {4, suit_spades},    {2, suit_clubs}};
// Four of a kind and a full house.
constexpr HandCard kGroups[] = {{7, suit_hearts}, {7, suit_clubs},  {7, suit_diamonds},  {7, suit_spades},
                                {3, suit_hearts}, {3, suit_spades}, {kKing, suit_clubs}, {kAce, suit_hearts}};
constexpr HandCard kMixedHand[] = {{kAce, suit_hearts},     {kKing, suit_clubs},
                                   {kQueen, suit_diamonds}, {kJack, suit_spades},
                                   {10, suit_hearts},       {4, suit_diamonds, m_wild},
                                   {3, suit_clubs},         {3, suit_hearts, m_none, s_red}};

template <std::size_t count> void deal(State& state, const HandCard (&hand)[count]) {
    for (std::size_t i = 0; i < count; ++i) {
        Card& card = state.cards[i];
        card.rank = static_cast<std::uint8_t>(hand[i].rank);
        card.suit = static_cast<std::uint8_t>(hand[i].suit);
        card.enhancement = static_cast<std::uint8_t>(hand[i].enhancement);
        card.seal = static_cast<std::uint8_t>(hand[i].seal);
        card.move_to(CardPlace::hand);
        state.hand[i] = static_cast<std::uint8_t>(i);
    }
    state.hand_count = static_cast<std::uint8_t>(count);
    state.draw_count = 0;
    for (int i = static_cast<int>(count); i < state.card_count; ++i) {
        state.cards[i].move_to(CardPlace::draw_pile);
        state.draw_pile[state.draw_count++] = static_cast<std::uint8_t>(i);
    }
}

// A run in a blind in which counters of all kinds have moved.
State table_of(BlindId blind) {
    State state = start("TRAITS11");
    state.boss = bl_hook;
    apply(state, {ActionKind::select_blind});
    state.round.blind = blind;
    state.money = 23;
    state.skips = 2;
    state.tarots_used = 3;
    state.hands_played = 11;
    state.base_joker_slots = 9;
    state.starting_cards = 60;
    state.targets = {9, suit_hearts, 8, suit_clubs, suit_hearts};
    for (int type = 0; type < hand_types; ++type) {
        state.hands[type].level = 1 + type % 3;
        state.hands[type].played = static_cast<std::uint16_t>(1 + type);
        state.hands[type].played_this_round = static_cast<std::uint8_t>(type % 2);
    }
    for (int i = 20; i < 36; ++i) {
        state.cards[i].enhancement = i % 2 == 0 ? m_steel : m_stone;
    }
    return state;
}

// A joker with something stored, so that those that start with nothing act.
void give_grown_joker(State& state, int id) {
    give_joker(state, id);
    Joker& joker = state.jokers[state.joker_count - 1];
    const JokerEntry& entry = kJokers[static_cast<std::size_t>(id)];
    joker.value = entry.traits.multiplies == Multiplies::in_joker_stage ? 2.5 : 7;
    joker.counter = entry.start_counter > 0 ? entry.start_counter : 6;  // Loyalty Card counts from there
    joker.hand = hand_pair;
}

struct Situation {
    State state;
    int position;  // of the joker in question
};

// Situations for a joker: with and without company, first and last hand of a round, plain and doubled odds,
// small blinds and bosses, money that cards and jokers earn, and jokers that read money on both sides.
std::vector<Situation> situations(int id) {
    std::vector<Situation> all;
    const auto add = [&](State state, std::initializer_list<JokerId> before,
                         std::initializer_list<JokerId> behind = {}) {
        for (const JokerId other : before) {
            give_joker(state, other);
        }
        const int position = state.joker_count;
        give_grown_joker(state, id);
        for (const JokerId other : behind) {
            give_joker(state, other);
        }
        all.push_back({state, position});
    };
    State plain = table_of(bl_small);
    deal(plain, kBlackHand);
    add(plain, {});
    deal(plain, kGroups);
    add(plain, {j_joker});
    State rich = table_of(bl_small);
    deal(rich, kRichHand);
    add(rich, {});
    add(rich, {j_blueprint}, {j_bull, j_photograph});
    add(rich, {j_oops, j_oops, j_baron}, {j_bootstraps});
    add(rich, {j_oops, j_oops, j_oops});  // Lucky cards are certain
    rich.round.hands_played = 2;
    rich.round.hands_left = 1;
    rich.round.discards_left = 0;
    add(rich, {j_hanging_chad, j_half, j_ride_the_bus});
    State mixed = table_of(bl_small);
    deal(mixed, kMixedHand);
    mixed.money = 3;
    mixed.hands_played = 12;
    mixed.vouchers |= bit(v_observatory);
    mixed.consumables[mixed.consumable_count++] = {mixed.next_created++, 0, c_mercury, e_none};
    add(mixed, {j_dna, j_vampire});
    add(mixed, {j_splash, j_smeared, j_joker});
    add(mixed, {j_four_fingers, j_shortcut, j_pareidolia});
    for (const BlindId boss : {bl_arm, bl_flint, bl_psychic, bl_eye, bl_mouth, bl_tooth, bl_ox, bl_hook}) {
        State hard = table_of(boss);
        deal(hard, kMixedHand);
        hard.ox_hand = hand_pair;
        hard.round.hand_types_seen = 1u << hand_high_card;
        hard.round.only_hand = hand_pair;
        add(hard, {j_supernova}, {j_bull});
        add(hard, {j_supernova});
    }
    return all;
}

struct Plays {
    std::vector<PlayPreview> list;  // by mask

    explicit Plays(std::vector<PlayPreview> plays) : list(std::move(plays)) {
        std::sort(list.begin(), list.end(),
                  [](const PlayPreview& a, const PlayPreview& b) { return a.mask < b.mask; });
    }
};

Plays previewed_fast(const State& state, const JokerTraitsTable& traits = kJokerTraits) {
    std::vector<PlayPreview> plays(static_cast<std::size_t>(count_plays(state.hand_count)));
    plays.resize(static_cast<std::size_t>(preview_all(state, plays.data(), traits)));
    return Plays(plays);
}

Plays previewed_one_by_one(const State& state) {
    std::vector<PlayPreview> plays(static_cast<std::size_t>(count_plays(state.hand_count)));
    plays.resize(static_cast<std::size_t>(preview_each(state, plays.data())));
    return Plays(plays);
}

bool same(const Plays& a, const Plays& b) {
    return std::equal(a.list.begin(), a.list.end(), b.list.begin(), b.list.end(),
                      [](const PlayPreview& x, const PlayPreview& y) {
                          return x.mask == y.mask && x.score == y.score && x.type == y.type &&
                                 x.blocked == y.blocked && x.exact == y.exact;
                      });
}

// The traits of everyone, as if those of one joker had been forgotten.
std::unique_ptr<JokerTraitsTable> traits_without(int id) {
    auto table = std::make_unique<JokerTraitsTable>(kJokerTraits);
    const auto place = static_cast<std::size_t>(id);
    (*table)[place] = resolve_traits(JokerTraits{}, kJokers[place].passive, kJokers[place].hooks);
    return table;
}

bool composes(const State& state, const JokerTraitsTable& traits = kJokerTraits) {
    const auto composer = std::make_unique<Composer>(state, traits);
    return set_up_composer(*composer);
}

// The same run with the joker debuffed: every place in the row and every count stays what it is.
State without_effect(const Situation& situation) {
    State state = situation.state;
    state.jokers[situation.position].flags |= joker_perished;
    return state;
}

Names play_by_play(BlindId blind, std::initializer_list<JokerId> company) {
    Names found;
    for (int id = 1; id < j_end; ++id) {
        State state = table_of(blind);
        deal(state, kMixedHand);
        for (const JokerId other : company) {
            give_joker(state, other);
        }
        give_joker(state, id);
        if (!composes(state)) {
            found.insert(name_of(id));
        }
    }
    return found;
}

// Runs that differ in one thing from each other.
std::vector<State> variants(const State& state) {
    std::vector<State> all{state};
    const auto add = [&](auto change) {
        State other = state;
        change(other);
        all.push_back(other);
    };
    add([](State& s) { s.money = 4; });
    add([](State& s) { s.money = 77; });
    for (int rank = kMinRank; rank <= kAce; ++rank) {
        add([&](State& s) { s.targets.idol_rank = static_cast<std::uint8_t>(rank); });
    }
    add([](State& s) { s.targets.ancient_suit = suit_clubs; });
    add([](State& s) { s.hands_played = 12; });
    add([](State& s) { s.tarots_used = 9; });
    add([](State& s) { s.skips = 5; });
    add([](State& s) { s.hands[hand_pair].played = 40; });
    add([](State& s) { s.hands[hand_pair].level = 9; });
    add([](State& s) { s.jokers[s.joker_count - 1].value += 1; });
    add([](State& s) { s.jokers[s.joker_count - 1].counter += 1; });
    add([](State& s) { s.jokers[s.joker_count - 1].sell_bonus += 3; });
    add([](State& s) { s.cards[30].enhancement = m_none; });
    add([](State& s) { s.base_hand_size += 1; });
    add([](State& s) { s.base_joker_slots += 1; });
    add([](State& s) { s.vouchers |= bit(v_observatory); });
    return all;
}

// Builds to measure a joker in: alone, and copied beside jokers that read money and targets.
std::vector<State> builds(int id) {
    std::vector<State> all;
    State alone = table_of(bl_small);
    deal(alone, kRichHand);
    State company = alone;
    give_grown_joker(alone, id);
    all.push_back(alone);
    for (const JokerId other : {j_bull, j_idol, j_blueprint}) {
        give_joker(company, other);
    }
    give_grown_joker(company, id);
    all.push_back(company);
    return all;
}

double strength_of(const State& state, StrengthMemo& memo, const JokerTraitsTable& traits = kJokerTraits) {
    return StrengthMeter(state, memo, traits).own();
}

double measured_anew(const State& state) {
    StrengthMemo memo;
    return strength_of(state, memo);
}

}  // namespace

// Where a joker changes scores, and where not, is counted on the way: a comparison in which no joker acts
// would prove nothing.
TEST(traits_fast_previews_are_previews_of_every_play) {
    Names without_score;
    for (int id = 1; id < j_end; ++id) {
        int changed = 0;
        int unchanged = 0;
        for (const Situation& situation : situations(id)) {
            const Plays fast = previewed_fast(situation.state);
            CHECK(same(fast, previewed_one_by_one(situation.state)));
            const Plays other = previewed_fast(without_effect(situation));
            for (std::size_t i = 0; i < fast.list.size() && i < other.list.size(); ++i) {
                ++(fast.list[i].score != other.list[i].score ? changed : unchanged);
            }
        }
        const Reads reads = kJokerTraits[static_cast<std::size_t>(id)].reads;
        if (changed == 0) {
            without_score.insert(name_of(id));
        } else if (reads != Reads::nothing && reads != Reads::money) {
            CHECK(unchanged > 0);
        }
        CHECK(changed == 0 || kJokerTraits[static_cast<std::size_t>(id)].scores ||
              kJokers[static_cast<std::size_t>(id)].hooks == JokerHooks{});
    }
    Names scoring_without_score;  // they have scoring hooks, and no score of the same hand shows it
    for (const std::string& name : without_score) {
        for (std::size_t id = 1; id < j_end; ++id) {
            if (kJokers[id].key == name && kJokerTraits[id].scores) {
                scoring_without_score.insert(name);
            }
        }
    }
    CHECK(scoring_without_score ==
          Names({"j_8_ball", "j_misprint", "j_superposition", "j_seance", "j_vagabond"}));
}

// Every byte is put back, whatever a joker did to cards, counters, money and itself.
TEST(traits_scoring_on_a_copy_can_be_undone) {
    int changed = 0;
    for (int id = 1; id < j_end; ++id) {
        for (const auto& [state, position] : situations(id)) {
            State copy = state;
            for (const std::uint32_t mask : {0x01u, 0x0fu, 0x1fu, 0x60u}) {
                for (const Outcomes outcomes : {Outcomes::worst, Outcomes::best}) {
                    Scoring scoring{copy, outcomes};
                    score_on_copy(scoring, mask);
                    changed += std::memcmp(copy.jokers, state.jokers, sizeof state.jokers) != 0 ? 1 : 0;
                    put_back_play(copy, state);
                    CHECK(std::memcmp(&copy, &state, sizeof state) == 0);
                }
            }
        }
    }
    CHECK(changed > 100);
}

TEST(traits_forgotten_leave_previews_what_they_are) {
    int slower = 0;
    for (int id = 1; id < j_end; ++id) {
        const auto forgotten = traits_without(id);
        for (const auto& [state, position] : situations(id)) {
            CHECK(same(previewed_fast(state, *forgotten), previewed_one_by_one(state)));
            slower += composes(state) && !composes(state, *forgotten) ? 1 : 0;
        }
    }
    CHECK(slower > 500);
}

// The comparisons above would notice a joker that claims too much: here every joker claims to read nothing.
TEST(traits_that_claim_too_much_are_noticed) {
    Names by_previews;
    Names by_strength;
    for (int id = 1; id < j_end; ++id) {
        auto bold = std::make_unique<JokerTraitsTable>(kJokerTraits);
        (*bold)[static_cast<std::size_t>(id)].reads = Reads::nothing;
        for (const auto& [state, position] : situations(id)) {
            if (!same(previewed_fast(state, *bold), previewed_one_by_one(state))) {
                by_previews.insert(name_of(id));
            }
        }
        StrengthMemo memo;
        for (const State& state : variants(builds(id)[0])) {
            if (strength_of(state, memo, *bold) != measured_anew(state)) {
                by_strength.insert(name_of(id));
            }
        }
    }
    CHECK(by_previews ==
          Names({"j_half", "j_square", "j_ride_the_bus", "j_hanging_chad", "j_photograph", "j_bull",
                 "j_bootstraps", "j_dna", "j_space", "j_hiker", "j_midas_mask", "j_vampire", "j_lucky_cat",
                 "j_wee", "j_raised_fist", "j_blackboard", "j_flower_pot", "j_seeing_double"}));
    CHECK(by_strength == Names({"j_bull", "j_bootstraps", "j_idol", "j_ancient"}));
}

// A change here is a change of candidates and of speed. A joker that is new in these lists has no traits, or
// a hook that has_scoring_hooks does not know.
TEST(traits_say_which_jokers_are_previewed_play_by_play) {
    const Names always = {"j_raised_fist", "j_blackboard", "j_hiker",      "j_vampire",      "j_midas_mask",
                          "j_lucky_cat",   "j_wee",        "j_flower_pot", "j_seeing_double"};
    Names first_hand = always;
    first_hand.insert("j_dna");
    CHECK(play_by_play(bl_small, {}) == first_hand);
    Names odds = first_hand;
    odds.insert({"j_8_ball", "j_space"});
    CHECK(play_by_play(bl_small, {j_oops}) == odds);
    Names boss = first_hand;
    boss.insert({"j_bull", "j_bootstraps"});
    CHECK(play_by_play(bl_arm, {}) == boss);
    State later = table_of(bl_small);
    deal(later, kMixedHand);
    give_joker(later, j_dna);
    CHECK(!composes(later));
    later.round.hands_played = 1;
    CHECK(composes(later));
}

TEST(traits_say_which_jokers_multiply) {
    for (int id = 1; id < j_end; ++id) {
        if (kJokerTraits[static_cast<std::size_t>(id)].copies != Copies::never) {
            continue;
        }
        bool multiplies = false;
        for (const auto& [state, position] : situations(id)) {
            for (const std::uint32_t mask : {0x01u, 0x0fu, 0x1fu, 0x30u, 0x60u, 0x80u, 0x07u}) {
                if (mask >> state.hand_count != 0) {
                    continue;
                }
                State copy = state;
                std::vector<ScoreStep> steps;
                Scoring scoring{copy, Outcomes::best, &steps};
                score_on_copy(scoring, mask);
                for (const ScoreStep& step : steps) {
                    multiplies = multiplies || (step.who == ScoreStep::Who::joker && step.index == position &&
                                                std::strcmp(step.what, "xmult") == 0);
                }
            }
        }
        const JokerHooks& hooks = kJokers[static_cast<std::size_t>(id)].hooks;
        const Multiplies declared = kJokerTraits[static_cast<std::size_t>(id)].multiplies;
        const bool in_stage = hooks.main != nullptr || hooks.other != nullptr;
        const Multiplies found = !multiplies ? Multiplies::never
                                 : in_stage  ? Multiplies::in_joker_stage
                                             : Multiplies::per_card;
        CHECK_EQ(declared, found);
        if (declared != found) {
            std::cout << "  " << name_of(id) << "\n";
        }
    }
}

// The place of whatever multiplies matters beside a joker that adds; the place of two that add does not.
TEST(traits_offer_moves_of_jokers_that_multiply) {
    const auto offers_move = [](JokerId first, JokerId second) {
        State state = table_of(bl_small);
        deal(state, kRichHand);
        give_grown_joker(state, first);
        give_grown_joker(state, second);
        Table table(state, 64);
        const auto offers = std::make_unique<Offers>();
        offer_plays(table, *offers);
        offer_orders(table, *offers);
        return std::any_of(offers->list, offers->list + offers->count, [](const Offer& offer) {
            return offer.candidate.action.kind == ActionKind::move_joker;
        });
    };
    for (const JokerId id : {j_constellation, j_hologram, j_cavendish}) {
        CHECK(offers_move(id, j_joker));
        CHECK(!offers_move(j_joker, id));
    }
    for (const JokerId id : {j_photograph, j_triboulet, j_ancient}) {
        CHECK(offers_move(id, j_smiley));
        CHECK(!offers_move(j_smiley, id));
    }
    CHECK(!offers_move(j_smiley, j_joker));
    CHECK(!offers_move(j_joker, j_smiley));
}

TEST(traits_remembered_strength_is_strength_measured_anew) {
    for (int id = 1; id < j_end; ++id) {
        StrengthMemo memo;
        for (const State& build : builds(id)) {
            for (const State& state : variants(build)) {
                CHECK_EQ(strength_of(state, memo), measured_anew(state));
                CHECK_EQ(strength_of(state, memo), measured_anew(state));  // now from the memo
            }
        }
    }
}

// Forgotten traits make the memo tell runs apart that are worth the same; it never takes one for another.
TEST(traits_forgotten_leave_strength_what_it_is) {
    for (int id = 1; id < j_end; ++id) {
        const auto forgotten = traits_without(id);
        StrengthMemo memo;
        for (const State& build : builds(id)) {
            for (const State& state : variants(build)) {
                CHECK_EQ(strength_of(state, memo, *forgotten), measured_anew(state));
            }
        }
    }
}

TEST(traits_remembered_scripted_strength_is_strength_measured_anew) {
    const ExpertWeights weights;
    const auto memory = std::make_unique<StrengthMemory>();
    for (int id = 1; id < j_end; ++id) {
        const auto forgotten = traits_without(id);
        for (const JokerTraitsTable* traits :
             {&kJokerTraits, static_cast<const JokerTraitsTable*>(forgotten.get())}) {
            for (const State& build : builds(id)) {
                for (const State& state : variants(build)) {
                    DeckSamples anew = sample_deck(state, weights, nullptr);
                    anew.traits = traits;
                    DeckSamples remembered = anew;
                    remembered.memory = memory.get();
                    remembered.key ^= traits == &kJokerTraits ? 0 : static_cast<std::uint64_t>(id) << 32;
                    for (const double rounds : {0.0, 3.0}) {
                        CHECK_EQ(measure_strength(state, weights, remembered, rounds).round_log,
                                 measure_strength(state, weights, anew, rounds).round_log);
                    }
                }
            }
        }
    }
}

TEST(traits_follow_from_hooks_where_they_can) {
    JokerHooks hooks{};
    CHECK(resolve_traits({}, {}, hooks).reads == Reads::nothing);
    CHECK(resolve_traits({}, {}, hooks).multiplies == Multiplies::never);
    CHECK(!resolve_traits({}, {}, hooks).scores);
    hooks.end_of_round = [](Turn&, bool) {};
    CHECK(resolve_traits({}, {}, hooks).reads == Reads::nothing);
    hooks.main = [](Scoring&, Turn&) {};
    CHECK(resolve_traits({}, {}, hooks).reads == Reads::anything);
    CHECK(resolve_traits({}, {}, hooks).multiplies == Multiplies::unknown);
    CHECK(resolve_traits({}, {}, hooks).scores && !resolve_traits({}, {}, hooks).acts_on_cards);
    CHECK(resolve_traits({.reads = Reads::money}, {}, hooks).reads == Reads::money);
    hooks.retrigger = [](const Scoring&, const Joker&, const Card&, int) { return 0; };
    CHECK(resolve_traits({}, {}, hooks).acts_on_cards);
}
