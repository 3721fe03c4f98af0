#include "bindings/schema.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <string>

#include "bindings/convert.hpp"
#include "catalog/catalog.hpp"
#include "vector/episode.hpp"
#include "view/candidates.hpp"
#include "view/columns.hpp"
#include "view/observation.hpp"
#include "view/record.hpp"

namespace nb = nanobind;

namespace jimbot::bindings {

int checked_candidates(int candidates) {
    if (candidates != 0 && (candidates < kMinCandidates || candidates > kMaxCandidates)) {
        throw nb::value_error(("candidates must be " + std::to_string(kMinCandidates) + " to " +
                               std::to_string(kMaxCandidates) + ", got " + std::to_string(candidates))
                                  .c_str());
    }
    return candidates;
}

namespace {

nb::list schema(int candidates) {
    nb::list fields;
    for (const ObservationField& field : record_schema(record_layout(checked_candidates(candidates)))) {
        nb::dict entry;
        entry["name"] = text(field.name);
        entry["type"] = text(field.type);
        entry["offset"] = field.offset;
        entry["shape"] =
            field.rows == 0 ? nb::make_tuple(field.columns) : nb::make_tuple(field.rows, field.columns);
        entry["high"] = field.high;
        entry["text"] = text(field.text);
        fields.append(entry);
    }
    return fields;
}

nb::tuple column_tuple(std::string_view name, std::string_view meaning, double low, double high) {
    return nb::make_tuple(text(name), text(meaning), low, high);
}

nb::dict columns_of_arrays() {
    nb::dict arrays;
    for (const ObservationField& field : record_schema(record_layout(kMinCandidates))) {
        nb::list columns;
        for (const Column& column : observation_columns(field.name)) {
            columns.append(column_tuple(column.name, column.text, column.low, column.high));
        }
        if (nb::len(columns) > 0) {
            arrays[text(field.name)] = columns;
        }
    }
    nb::list features;
    for (const FeatureText& feature : kCandidateTexts) {
        features.append(column_tuple(feature.name, feature.text, -2, 2));
    }
    arrays["candidates"] = features;
    nb::list identities;
    constexpr int kHighest = kCandidateIdentities - 1;
    identities.append(
        column_tuple("about", "shelf identity of what the action is about; 0 nothing", 0, kHighest));
    identities.append(
        column_tuple("target", "shelf identity of its target, tag or blind; 0 nothing", 0, kHighest));
    arrays["candidate_ids"] = identities;
    return arrays;
}

}  // namespace

}  // namespace jimbot::bindings

void bind_schema(nb::module_& m);

void bind_schema(nb::module_& m) {
    using namespace jimbot;
    using namespace jimbot::bindings;
    m.def("observation_schema", &schema, nb::arg("candidates"),
          "Every array of an observation: name, type, offset, shape, high, text.");
    m.def(
        "observation_size", [](int candidates) { return record_layout(checked_candidates(candidates)).size; },
        nb::arg("candidates"), "Bytes of one observation.");
    m.def(
        "slot_meaning",
        [](int slot) {
            if (slot < 0 || slot >= slot_count) {
                throw nb::index_error("no such action");
            }
            return slot_meaning(slot);
        },
        nb::arg("slot"), "What an action index means, in words.");
    m.def("evaluation_seed", &evaluation_seed, nb::arg("number"), "The number of an evaluation seed.");
    nb::list features;
    for (const FeatureText& feature : kCandidateTexts) {
        features.append(nb::make_tuple(text(feature.name), text(feature.text)));
    }
    m.attr("candidate_features") = features;
    m.attr("candidate_limits") = nb::make_tuple(kMinCandidates, kMaxCandidates);
    m.attr("observation_columns") = columns_of_arrays();
    m.attr("observation_version") = kObservationVersion;
    m.attr("slot_count") = static_cast<int>(slot_count);
    nb::list terms;
    for (const std::string_view name : kTermNames) {
        terms.append(text(name));
    }
    m.attr("reward_terms") = terms;
    nb::list infos;
    for (const std::string_view name : kInfoNames) {
        infos.append(text(name));
    }
    m.attr("info_names") = infos;
    m.attr("played_blinds") = kPlayedBlinds;
    nb::list blinds;
    for (const BlindEntry& blind : kBlinds) {
        blinds.append(text(blind.key));
    }
    m.attr("blind_keys") = blinds;
}
