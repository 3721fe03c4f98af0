// The joker table is written in three files of fifty; jokers.cpp joins them.
#pragma once

#include <array>

#include "catalog/catalog.hpp"

namespace jimbot {

using JokerPart = std::array<JokerEntry, 50>;

extern const JokerPart kJokers001To050;
extern const JokerPart kJokers051To100;
extern const JokerPart kJokers101To150;

}  // namespace jimbot
