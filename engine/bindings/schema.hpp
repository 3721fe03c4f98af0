// What observations and actions of environments are made of, for Python.
#pragma once

namespace jimbot::bindings {

// The number of candidates, 0 for the fixed actions; ValueError if no environment can have so many.
int checked_candidates(int candidates);

}  // namespace jimbot::bindings
