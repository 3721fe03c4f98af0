// How this module was built, for `jimbot doctor` and for the provenance of measured numbers.

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <string>

namespace nb = nanobind;

namespace {

std::string compiler_name() {
#if defined(__clang__)
    return "clang " __clang_version__;
#elif defined(__GNUC__)
    return "gcc " __VERSION__;
#elif defined(_MSC_VER)
    return "msvc " + std::to_string(_MSC_VER);
#else
    return "unknown";
#endif
}

// MSVC keeps __cplusplus at 199711 unless told otherwise; its own macro tells the truth.
long language_standard() {
#if defined(_MSVC_LANG)
    return _MSVC_LANG;
#else
    return __cplusplus;
#endif
}

nb::dict build_info() {
    nb::dict info;
    info["version"] = JIMBOT_VERSION;
    info["compiler"] = compiler_name();
    info["standard"] = language_standard();
    info["optimization"] = JIMBOT_OPTIMIZATION;
    info["lto"] = static_cast<bool>(JIMBOT_LTO);
    info["sanitized"] = static_cast<bool>(JIMBOT_SANITIZED);
    info["native"] = static_cast<bool>(JIMBOT_NATIVE);
    // For all that scores depend on; cmake/flags.cmake lets the kernels of learn/ alone contract.
    info["fp_contract"] = "off";
    return info;
}

}  // namespace

void bind_build_info(nb::module_& m);

void bind_build_info(nb::module_& m) {
    m.def("build_info", &build_info,
          "How the engine was built: version, compiler, standard, optimization, lto, sanitized, native, "
          "fp_contract.");
}
