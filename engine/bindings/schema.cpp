// The columns of observations for Python.

#include <nanobind/nanobind.h>

#include "bindings/convert.hpp"
#include "view/candidates.hpp"
#include "view/columns.hpp"
#include "view/record.hpp"

namespace nb = nanobind;

namespace jimbot::bindings {

namespace {

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

void bind_schema(nb::module_& m) { m.attr("observation_columns") = jimbot::bindings::columns_of_arrays(); }
