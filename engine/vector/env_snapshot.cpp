// Whole environments as bytes: versioned, checksummed, and refused unless they fit the environment they are
// read into. Records are not kept: they are written anew from the runs.
#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>
#include <type_traits>

#include "core/seed_space.hpp"
#include "core/snapshot.hpp"
#include "vector/vector_env.hpp"

namespace jimbot {

namespace {

static_assert(std::endian::native == std::endian::little, "snapshots are little-endian");

constexpr char kMagic[8] = {'J', 'I', 'M', 'B', 'O', 'T', 'V', '\0'};
constexpr std::uint32_t kEnvSnapshotVersion = 2;

struct Header {
    char magic[8];
    std::uint32_t version;
    std::uint32_t state_version;
    std::uint32_t count;
    std::uint32_t candidates;
    std::uint32_t autoreset;
    std::uint32_t state_size;
    std::uint64_t options;   // fingerprint
    std::uint64_t size;      // of what follows
    std::uint64_t checksum;  // of what follows
};

std::uint64_t checksum_of(const unsigned char* bytes, std::size_t size) {
    std::uint64_t sum = 0x9e3779b97f4a7c15 ^ size;
    const auto add = [&](std::uint64_t word) {
        sum = (sum ^ word) * 0xd6e8feb86659fd93;
        sum ^= sum >> 32;
    };
    std::size_t at = 0;
    for (; at + 8 <= size; at += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes + at, sizeof word);
        add(word);
    }
    for (; at < size; ++at) {
        add(bytes[at]);
    }
    return sum;
}

class Writer {
public:
    template <typename Value> void add(const Value& value) {
        static_assert(std::is_trivially_copyable_v<Value>);
        bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
    void add_text(const std::string& text) {
        add(static_cast<std::uint64_t>(text.size()));
        bytes.append(text);
    }

    std::string bytes;
};

class Reader {
public:
    Reader(const unsigned char* bytes, std::size_t size) : at_(bytes), left_(size) {}

    template <typename Value> void read(Value& value) {
        static_assert(std::is_trivially_copyable_v<Value>);
        take(&value, sizeof value);
    }
    std::size_t read_length(std::size_t each) {
        std::uint64_t length = 0;
        read(length);
        if (length > left_ / each) {
            throw std::invalid_argument("the snapshot of an environment is damaged: a list is too long");
        }
        return static_cast<std::size_t>(length);
    }
    std::string read_text() {
        std::string text(read_length(1), '\0');
        take(text.data(), text.size());
        return text;
    }
    bool done() const { return left_ == 0; }

private:
    void take(void* out, std::size_t size) {
        if (size > left_) {
            throw std::invalid_argument("the snapshot of an environment is damaged: it ends too early");
        }
        std::memcpy(out, at_, size);
        at_ += size;
        left_ -= size;
    }

    const unsigned char* at_;
    std::size_t left_;
};

// Everything the options decide but the finishing ante, which may change while the environment runs.
std::uint64_t fingerprint(const EpisodeOptions& options) {
    Writer writer;
    for (const DeckId deck : options.decks) {
        writer.add(deck);
    }
    writer.add('/');
    for (const std::uint8_t stake : options.stakes) {
        writer.add(stake);
    }
    writer.add('/');
    for (const State& start : options.starts) {
        writer.add(state_hash(start));
    }
    writer.add(options.start_chance);
    writer.add(options.max_steps);
    writer.add(options.candidates);
    writer.add(options.fast);
    writer.add(options.seeds);
    writer.add(options.discount);
    writer.add(options.weights);
    return checksum_of(reinterpret_cast<const unsigned char*>(writer.bytes.data()), writer.bytes.size());
}

// The order of an episode's parts, for writing and for reading.
template <typename Each, typename AnEpisode> void each_part(AnEpisode& episode, Each each) {
    each(episode.state);
    each(episode.pending.kind);
    each(episode.pending.position);
    each(episode.random);
    each(episode.seed_number);
    each(episode.best_hand);
    each(episode.ledger);
    each(episode.steps);
    each(episode.blinds);
    each(episode.illegal);
    each(episode.played);
    each(episode.max_ante);
    each(episode.ending);
    each(episode.played_blinds);
}

template <typename Each, typename ARecording> void each_number(ARecording& recording, Each each) {
    each(recording.seed_number);
    each(recording.fast_start);
    each(recording.start);
    each(recording.deck);
    each(recording.stake);
    each(recording.endless);
}

void write_recording(Writer& writer, const Recording& recording) {
    each_number(recording, [&](const auto& part) { writer.add(part); });
    writer.add(static_cast<std::uint64_t>(recording.actions.size()));
    for (const Action& action : recording.actions) {
        writer.add(action);
    }
}

void read_recording(Reader& reader, Recording& recording) {
    each_number(recording, [&](auto& part) { reader.read(part); });
    recording.actions.resize(reader.read_length(sizeof(Action)), Action{ActionKind::count});
    for (Action& action : recording.actions) {
        reader.read(action);
    }
}

bool possible_recording(const Recording& recording, const EpisodeOptions& options) {
    return recording.start < 0 ? recording.seed_number < kSeedSpace && recording.deck > b_none &&
                                     recording.deck < b_end && recording.stake >= 1 && recording.stake <= 8
                               : static_cast<std::size_t>(recording.start) < options.starts.size();
}

bool possible_counters(const Episode& episode) {
    constexpr int kMost = 1'000'000'000;  // steps of an episode, far from where counting would overflow
    for (const int counter : {episode.steps, episode.blinds, episode.illegal, episode.played}) {
        if (counter < 0 || counter > kMost) {
            return false;
        }
    }
    return true;
}

bool possible_blinds(const PlayedBlind (&played)[kPlayedBlinds]) {
    return std::all_of(std::begin(played), std::end(played),
                       [](const PlayedBlind& blind) { return blind.blind < bl_end && blind.cleared <= 1; });
}

bool possible_episode(const Episode& episode) {
    return possible_state(episode.state) && possible_pending(episode.state, episode.pending) &&
           episode.ending <= Ending::cut_off && episode.max_ante >= 1 && possible_counters(episode) &&
           possible_blinds(episode.played_blinds);
}

// Texts are read as they lie, by programs that stop at what is no character.
bool possible_end(const EndRecord& end) {
    const auto plain = [](char32_t letter) { return letter < 128; };
    return end.played >= 0 && possible_blinds(end.played_blinds) &&
           std::all_of(std::begin(end.seed), std::end(end.seed), plain) &&
           std::all_of(std::begin(end.blind), std::end(end.blind), plain);
}

// What a snapshot holds of each place of the vector.
struct Place {
    Episode episode;
    Recording recording;
    Finished finished;
    std::uint8_t ended;
    std::uint8_t terminated;
    std::uint8_t truncated;
    float reward;
    double info[kInfoNumbers];
    EndRecord end;
};

Place read_place(Reader& reader, const EpisodeOptions& options) {
    Place place{};
    each_part(place.episode, [&](auto& part) { reader.read(part); });
    read_recording(reader, place.recording);
    reader.read(place.finished.exists);
    reader.read(place.finished.print);
    read_recording(reader, place.finished.recording);
    reader.read(place.ended);
    reader.read(place.terminated);
    reader.read(place.truncated);
    reader.read(place.reward);
    reader.read(place.info);
    reader.read(place.end);
    const bool truths = place.ended <= 1 && place.terminated <= 1 && place.truncated <= 1;
    if (!truths || !possible_end(place.end) || !possible_episode(place.episode) ||
        !possible_recording(place.recording, options) ||
        (place.finished.exists != 0 && !possible_recording(place.finished.recording, options))) {
        throw std::invalid_argument("the snapshot holds an episode that cannot exist");
    }
    return place;
}

void check_header(const Header& header, const unsigned char* body, std::size_t size) {
    if (std::memcmp(header.magic, kMagic, sizeof kMagic) != 0) {
        throw std::invalid_argument("not a snapshot of an environment: the bytes do not start like one");
    }
    if (header.version != kEnvSnapshotVersion || header.state_version != kSnapshotVersion ||
        header.state_size != sizeof(State)) {
        throw std::invalid_argument(
            "a snapshot of another version of the engine; start the environment anew");
    }
    if (header.size != size || checksum_of(body, size) != header.checksum) {
        throw std::invalid_argument("the snapshot of an environment is damaged: its checksum does not fit");
    }
}

}  // namespace

std::string VectorEnv::snapshot(const std::string& extra) const {
    Writer writer;
    writer.add_text(extra);
    writer.add(options_.max_ante);
    for (std::size_t i = 0; i < episodes.size(); ++i) {
        each_part(episodes[i], [&](const auto& part) { writer.add(part); });
        write_recording(writer, recordings[i]);
        writer.add(finished[i].exists);
        writer.add(finished[i].print);
        write_recording(writer, finished[i].recording);
        writer.add(ended_[i]);
        writer.add(terminated[i]);
        writer.add(truncated[i]);
        writer.add(rewards[i]);
        for (std::size_t k = 0; k < kInfoNumbers; ++k) {
            writer.add(final_infos[i * kInfoNumbers + k]);
        }
        writer.add(end_records[i]);
    }
    Header header{};
    std::memcpy(header.magic, kMagic, sizeof kMagic);
    header.version = kEnvSnapshotVersion;
    header.state_version = kSnapshotVersion;
    header.count = static_cast<std::uint32_t>(episodes.size());
    header.candidates = static_cast<std::uint32_t>(layout_.candidates);
    header.autoreset = static_cast<std::uint32_t>(autoreset_);
    header.state_size = sizeof(State);
    header.options = fingerprint(options_);
    header.size = writer.bytes.size();
    header.checksum =
        checksum_of(reinterpret_cast<const unsigned char*>(writer.bytes.data()), writer.bytes.size());
    return std::string(reinterpret_cast<const char*>(&header), sizeof header) + writer.bytes;
}

std::string VectorEnv::restore(const unsigned char* bytes, std::size_t size) {
    Header header{};
    if (size < sizeof header) {
        throw std::invalid_argument("not a snapshot of an environment: the bytes are too few");
    }
    std::memcpy(&header, bytes, sizeof header);
    check_header(header, bytes + sizeof header, size - sizeof header);
    if (header.count != episodes.size()) {
        throw std::invalid_argument("a snapshot of " + std::to_string(header.count) +
                                    " games does not fit an environment of " +
                                    std::to_string(episodes.size()));
    }
    if (header.candidates != static_cast<std::uint32_t>(layout_.candidates) ||
        header.autoreset != static_cast<std::uint32_t>(autoreset_) ||
        header.options != fingerprint(options_)) {
        throw std::invalid_argument(
            "a snapshot of an environment with other options; make the environment as that one was made");
    }
    Reader reader(bytes + sizeof header, size - sizeof header);
    std::string extra = reader.read_text();
    int max_ante = 0;
    reader.read(max_ante);
    std::vector<Place> places;
    places.reserve(episodes.size());
    for (std::size_t i = 0; i < episodes.size(); ++i) {
        places.push_back(read_place(reader, options_));
    }
    if (!reader.done() || max_ante < 1) {
        throw std::invalid_argument(
            "the snapshot of an environment is damaged: it does not end where it should");
    }
    options_.max_ante = max_ante;
    for (std::size_t i = 0; i < episodes.size(); ++i) {
        Place& place = places[i];
        episodes[i] = place.episode;
        recordings[i] = std::move(place.recording);
        finished[i] = std::move(place.finished);
        ended_[i] = place.ended;
        terminated[i] = place.terminated;
        truncated[i] = place.truncated;
        rewards[i] = place.reward;
        std::memcpy(final_infos.data() + i * kInfoNumbers, place.info, sizeof place.info);
        end_records[i] = place.end;
        forget_record(i);
        observe_one(i, memos_[0]);
    }
    return extra;
}

}  // namespace jimbot
