// The Python module jimbot._engine: one bind_* function per part, each in a file of its own.

#include <nanobind/nanobind.h>

namespace nb = nanobind;

void bind_build_info(nb::module_& m);
void bind_catalog(nb::module_& m);
void bind_rng(nb::module_& m);
void bind_game(nb::module_& m);
void bind_seeds(nb::module_& m);
void bind_find(nb::module_& m);
void bind_schema(nb::module_& m);
void bind_vector(nb::module_& m);
void bind_expert(nb::module_& m);
void bind_expert_labels(nb::module_& m);
void bind_learn(nb::module_& m);

NB_MODULE(_engine, m) {
    m.doc() = "The compiled game engine of jimbot.";
    // Objects that torch still refers to when the interpreter ends are no leak.
    nb::set_leak_warnings(false);
    bind_build_info(m);
    bind_catalog(m);
    bind_rng(m);
    bind_game(m);
    bind_seeds(m);
    bind_find(m);
    bind_schema(m);
    bind_vector(m);
    bind_expert(m);
    bind_expert_labels(m);
    bind_learn(m);
}
