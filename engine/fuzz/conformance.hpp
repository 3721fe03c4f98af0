// The conformance battery: random games in which every promise of the engine is checked at every decision.
//
// A game is made from the batch seed and its number alone: deck, stake, challenge, profile, policy. About
// half of the games are "boosted": now and then the target is set to zero, money is added, a joker, a
// consumable, a voucher or an improved card is given, or the boss is changed, so that late antes, endless
// play and rare items occur too.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/actions.hpp"
#include "core/state.hpp"

namespace jimbot::fuzz {

inline constexpr int kActionKinds = static_cast<int>(ActionKind::count);

// What a game is played with.
struct GamePlan {
    std::uint64_t batch = 0;
    std::uint64_t number = 0;
    std::string seed;
    DeckId deck = b_red;
    int stake = 1;
    int challenge = 0;
    bool fresh_profile = false;
    bool endless = false;
    bool boosted = false;
    bool crowded = false;    // boosted until the areas are full
    bool careful = false;    // prefers the best of a few plays
    bool unsettled = false;  // moves, sorts and sells more often
    int max_steps = 0;
};

GamePlan plan_game(std::uint64_t batch, std::uint64_t number);

// One thing that happened: an action, or a change made by hand in a boosted game.
struct Event {
    enum class Kind : std::uint8_t {
        action,
        zero_target,
        money,
        joker,
        consumable,
        voucher,
        boss,
        card,
        more_cards,
        hand_size
    } kind;
    Action action;         // of Kind::action
    std::int32_t what;     // dollars, an id, or a card index
    std::uint32_t detail;  // edition, stickers, enhancement, seal: a byte each
};

// A broken promise, with all it takes to see it again.
struct Failure {
    std::string check;
    std::string detail;
    GamePlan plan;
    std::vector<Event> events;          // up to the decision at which it was found
    std::vector<unsigned char> before;  // snapshot of the state before the last event
};

struct Report {
    std::uint64_t games = 0;
    std::uint64_t nodes = 0;  // decisions at which everything was checked
    std::uint64_t wins = 0;
    std::uint64_t losses = 0;
    std::uint64_t cut_short = 0;  // games that reached their limit of steps
    std::uint64_t applied = 0;    // legal actions applied to copies
    std::uint64_t refused = 0;    // illegal actions refused
    std::uint64_t previews = 0;
    std::uint64_t exact_plays = 0;  // plays whose exact preview was what they scored
    std::uint64_t lucky_plays = 0;  // plays with luck, within their bounds
    std::uint64_t twins = 0;
    std::uint64_t twins_apart = 0;  // twins whose next state differed in what a player sees
    std::uint64_t mutants = 0;      // states changed by hand that were played on
    std::uint64_t records = 0;      // records of environments compared with records written anew
    std::uint64_t hash = 0;         // of every state of every game; does not depend on order or threads
    std::int32_t max_ante = 0;
    std::int32_t max_jokers = 0;
    std::int32_t max_cards = 0;
    std::int32_t max_hand = 0;
    double max_score = 0;
    std::array<std::uint64_t, kActionKinds> kinds{};
    std::array<std::uint64_t, b_end> decks{};
    std::array<std::uint64_t, 9> stakes{};
    std::array<std::uint64_t, 21> challenges{};
    std::array<std::uint64_t, bl_end> blinds{};      // plays against each
    std::array<std::uint64_t, j_end> jokers{};       // plays with each
    std::array<std::uint64_t, c_end> consumables{};  // uses of each
    std::array<std::uint64_t, v_end> vouchers{};     // redeemed in shops
    std::vector<Failure> failures;

    void add(const Report& other);
};

// Plays one game. With `checked` everything is examined at every decision; without, it is only played and
// hashed, and gives the same hash.
void run_game(const GamePlan& plan, bool checked, Report& report);

// Plays games first .. first + count - 1 of a batch on so many threads.
Report run_batch(std::uint64_t batch, std::uint64_t first, std::uint64_t count, int threads, bool checked);

}  // namespace jimbot::fuzz
