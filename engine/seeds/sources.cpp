#include "seeds/sources.hpp"

#include "catalog/catalog.hpp"
#include "rules/deck.hpp"
#include "rules/generate.hpp"
#include "rules/pools.hpp"
#include "rules/run.hpp"

namespace jimbot {

namespace {

struct Source {
    std::string_view name;
    int count;
    bool pair;  // the first still exists when the second is made
    ItemKind kind;
    JokerSource joker = JokerSource::shop;
    Pool pool = Pool::tarot;
    Stream stream = Stream::tarot_shop;
};

constexpr Source joker_source(std::string_view name, int count, bool pair, JokerSource joker) {
    return {name, count, pair, ItemKind::joker, joker};
}

constexpr Source consumable_source(std::string_view name, int count, bool pair, Pool pool, Stream stream) {
    return {name, count, pair, ItemKind::consumable, JokerSource::shop, pool, stream};
}

constexpr Source kSources[] = {
    joker_source("jud", 3, false, JokerSource::judgement),
    joker_source("wra", 2, false, JokerSource::wraith),
    joker_source("rta", 2, false, JokerSource::rare_tag),
    joker_source("uta", 2, false, JokerSource::uncommon_tag),
    joker_source("rif", 2, true, JokerSource::riff_raff),
    joker_source("top", 2, true, JokerSource::top_up_tag),
    consumable_source("8ba", 3, false, Pool::tarot, Stream::tarot_eight_ball),
    consumable_source("vag", 3, false, Pool::tarot, Stream::tarot_vagabond),
    consumable_source("sup", 3, false, Pool::tarot, Stream::tarot_superposition),
    consumable_source("car", 3, false, Pool::tarot, Stream::tarot_cartomancer),
    consumable_source("hal", 3, false, Pool::tarot, Stream::tarot_hallucination),
    consumable_source("emp", 2, true, Pool::tarot, Stream::tarot_emperor),
    consumable_source("pri", 2, true, Pool::planet, Stream::planet_high_priestess),
    consumable_source("sixth", 2, false, Pool::spectral, Stream::spectral_sixth_sense),
    consumable_source("sea", 2, false, Pool::spectral, Stream::spectral_seance),
};

void forget_existing(State& state) {
    state.consumable_count = 0;
    for (std::uint64_t& pool : state.existing) {
        pool = 0;
    }
}

SourceView view_source(State& state, const Source& source) {
    SourceView view{source.name, {}};
    for (int i = 0; i < source.count; ++i) {
        view.items.push_back(source.kind == ItemKind::joker
                                 ? make_joker(state, source.joker)
                                 : make_consumable(state, source.pool, source.stream, false));
        if (!source.pair) {
            release_item(state, view.items.back());
        }
    }
    forget_existing(state);
    return view;
}

double roll(State& state, Stream stream) { return draw(state.streams, stream, state.ante).real(); }

CardList drawn(const State& state, int count) {
    CardList cards;
    for (int i = 0; i < count && i < state.draw_count; ++i) {
        cards.push_back(state.cards[state.draw_pile[state.draw_count - 1 - i]]);
    }
    return cards;
}

}  // namespace

MiscView explore_misc(std::string_view seed, DeckId deck, int stake, int antes) {
    MiscView view;
    State state;
    const auto restart = [&] {
        start_generation(state, seed, deck, stake);
        forget_existing(state);
    };
    restart();
    for (int ante = 1; ante <= antes; ++ante) {
        state.ante = static_cast<std::int16_t>(ante);
        auto& sources = view.antes.emplace_back();
        for (const Source& source : kSources) {
            sources.push_back(view_source(state, source));
        }
    }
    restart();
    for (int ante = 1; ante <= 5; ++ante) {
        state.ante = static_cast<std::int16_t>(ante);
        view.soul.push_back(make_joker(state, JokerSource::soul));  // kept: each stays in existence
    }
    restart();
    for (int i = 0; i < 4; ++i) {
        view.voucher_tag.push_back(draw_voucher(state, Stream::voucher_from_tag));
    }
    for (int i = 0; i < 12; ++i) {
        view.misprint.push_back(draw(state.streams, Stream::misprint, 1).integer(0, 23));
    }
    for (int i = 0; i < 20; ++i) {
        view.lucky_mult.push_back(roll(state, Stream::lucky_mult) < 1.0 / 5.0);
        view.lucky_money.push_back(roll(state, Stream::lucky_money) < 1.0 / 15.0);
    }
    for (int i = 0; i < 6; ++i) {
        view.aura.push_back(guaranteed_edition(roll(state, Stream::aura)));
    }
    for (int i = 0; i < 12; ++i) {
        EditionId edition = e_none;
        if (roll(state, Stream::wheel_of_fortune) < 1.0 / 4.0) {
            roll(state, Stream::wheel_of_fortune);  // which joker: one is eligible
            edition = guaranteed_edition(roll(state, Stream::wheel_of_fortune));
        }
        view.wheel_of_fortune.push_back(edition);
    }
    for (int ante = 1; ante <= 32; ++ante) {
        state.ante = static_cast<std::int16_t>(ante);
        view.bosses.push_back(draw_boss(state));
    }
    restart();
    for (int ante = 1; ante <= 24; ++ante) {
        state.ante = static_cast<std::int16_t>(ante);
        view.vouchers_if_all_bought.push_back(draw_voucher(state, Stream::voucher));
        redeem_voucher(state, view.vouchers_if_all_bought.back());
    }
    start_run(state, {.seed = seed, .deck = deck, .stake = stake});
    view.targets.push_back(state.targets);
    for (int draws = 1; draws < 9; ++draws) {
        state.ante = static_cast<std::int16_t>(1 + draws / 3);
        draw_round_targets(state);
        view.targets.push_back(state.targets);
    }
    return view;
}

DeckView explore_deck(std::string_view seed, DeckId deck, int stake, int antes, int hand_size) {
    State state;
    start_run(state, {.seed = seed, .deck = deck, .stake = stake});
    DeckView view;
    view.run_start = drawn(state, state.draw_count);
    for (int ante = 1; ante <= antes; ++ante) {
        state.ante = static_cast<std::int16_t>(ante);
        auto& hands = view.hands.emplace_back();
        for (int blind = 0; blind < 3; ++blind) {
            shuffle_deck(state, Stream::new_round);
            if (ante == 1 && blind == 0) {
                view.first_blind = drawn(state, state.draw_count);
            }
            hands.push_back(drawn(state, hand_size));
        }
    }
    return view;
}

std::vector<int> explore_erratic_draws(std::string_view seed) {
    State state;
    start_generation(state, seed, b_erratic, 1);
    std::vector<int> fronts;
    for (int i = 0; i < kFronts; ++i) {
        fronts.push_back(draw_front(state, Stream::erratic));
    }
    return fronts;
}

}  // namespace jimbot
