// The conformance battery: random games in which all guarantees of the engine are checked at every decision.
//
// A game follows from the batch seed and its number alone: deck, stake, challenge, profile, policy. About
// half of the games are "boosted": now and then the target is set to zero, money is added, a joker, a
// consumable, a voucher or an improved card is given, or the boss is changed, so that late antes, endless
// play and rare items occur too. After each game some of its states are changed by hand and played on, and
// environments start from them (fuzz/mutants.hpp).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/actions.hpp"
#include "core/state.hpp"

namespace jimbot::fuzz {

inline constexpr int kActionKinds = static_cast<int>(ActionKind::count);

// The options of a game.
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

// One entry of a game's history: an action, or a change made by hand.
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
        hand_size,
        mutant  // the state was replaced by one that was changed by hand
    } kind;
    Action action;         // of Kind::action
    std::int32_t what;     // dollars, an id, or a card index
    std::uint32_t detail;  // edition, stickers, enhancement, seal: a byte each
};

// A check that failed, with all that is needed to reproduce it.
struct Failure {
    std::string check;
    std::string detail;
    GamePlan plan;
    std::vector<Event> events;          // up to the decision at which the check failed
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
    std::uint64_t exact_plays = 0;   // plays that scored what their exact preview said
    std::uint64_t chance_plays = 0;  // plays with chance that scored within the bounds of their preview
    std::uint64_t resampled = 0;     // resampled copies
    std::uint64_t resampled_apart =
        0;                      // of them, those whose next state a player could tell from the original's
    std::uint64_t mutants = 0;  // states changed by hand that were played on
    std::uint64_t records = 0;  // records of environments compared with records written anew
    std::uint64_t hash = 0;     // of every state of every game; does not depend on order or threads
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

// Plays one game. With `checked` all checks run at every decision; without, the game is only played and
// hashed. The hash is the same.
void run_game(const GamePlan& plan, bool checked, Report& report);

// Plays games first to first + count - 1 of a batch on several threads.
Report run_batch(std::uint64_t batch, std::uint64_t first, std::uint64_t count, int threads, bool checked);

}  // namespace jimbot::fuzz
