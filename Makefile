# jimbot: everything a developer does, one target each. `make help` lists the targets.
#
# Nothing is installed outside .venv/ and build/. Stamp files record what is done: a second `make setup` does nothing,
# a changed engine source only recompiles, a changed pyproject.toml or constraints.txt installs again.

$(if $(filter 3.%,$(MAKE_VERSION)),$(error jimbot needs GNU make 4 or newer; on macOS: brew install make, then gmake))

empty :=
space := $(empty) $(empty)

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-print-directory --no-builtin-rules

# Steps `make train` trains.
TIMESTEPS ?= 8192
# Processes the Python tests run in.
TEST_PROCESSES ?= auto
# Seconds `make fuzz` plays, and which games: by default others every time.
FUZZ_SECONDS ?= 60
FUZZ_BATCH ?=

# --- what `make train` and `make bench` run -------------------------------------------------------------------------
define TRAIN_COMMANDS
$(BIN)/python quick_train.py --timesteps $(TIMESTEPS)
endef

define BENCH_COMMANDS
$(JIMBOT) bench env
$(JIMBOT) bench engine
$(JIMBOT) bench seeds
endef

# --- places -----------------------------------------------------------------------------------------------------------
VENV := .venv
BIN := $(VENV)/bin
JIMBOT := $(BIN)/jimbot
PIP := $(BIN)/python -m pip --quiet --quiet --disable-pip-version-check --no-input
BUILD := build/dev
SANITIZE_BUILD := build/sanitize
THREAD_SANITIZE_BUILD := build/sanitize-threads
CLANG_BUILD := build/clang
TIDY := build/tidy

DEPENDENCIES := $(VENV)/.dependencies
INSTALLED := $(VENV)/.installed
ENGINE := $(BUILD)/.engine

export PIP_CONSTRAINT := constraints.txt
# Small networks are fastest on one thread, and processes that share the processors are not starved.
export OMP_NUM_THREADS := 1

files = $(wildcard $(foreach package,$(1),engine/$(package)/*.$(2)))
ENGINE_PACKAGES := core catalog rules seeds view play vector learn bindings fuzz bench
ENGINE_HEADERS := $(call files,$(ENGINE_PACKAGES),hpp)
PROGRAMS := engine/fuzz/main.cpp
ENGINE_SOURCES := $(filter-out $(PROGRAMS),$(call files,$(ENGINE_PACKAGES),cpp))
TEST_SOURCES := $(wildcard engine/tests/*.cpp engine/tests/*.hpp)
CPP_FILES := $(ENGINE_HEADERS) $(ENGINE_SOURCES) $(TEST_SOURCES) $(PROGRAMS)
# What a development build holds besides the wheel's module: jimbot._engine_dev, with benchmarks and conformance.
MODULES := _engine _engine_dev
BUILD_FILES := CMakeLists.txt $(wildcard cmake/*.cmake)

# --- help -------------------------------------------------------------------------------------------------------------
.PHONY: help
help: ## print this list
	@echo "usage: make <target>"; echo
	@sed -n 's/^\([a-z][a-z-]*\):.*## \(.*\)/\1|\2/p' $(firstword $(MAKEFILE_LIST)) | \
		while IFS='|' read -r target text; do printf '  %-16s %s\n' "$$target" "$$text"; done

# --- setup ------------------------------------------------------------------------------------------------------------
.PHONY: setup
setup: $(ENGINE) ## create .venv and build the engine; does nothing when nothing has changed

# The first Python that is new enough; PYTHON=... chooses one.
define FIND_PYTHON
for candidate in $(PYTHON) python3 python3.14 python3.13 python3.12 python3.11 python; do \
	if "$$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
		python="$$candidate"; break; \
	fi; \
done
endef

define NEED_COMPILER
if ! command -v "$${CXX:-c++}" >/dev/null && ! command -v g++ >/dev/null && ! command -v clang++ >/dev/null; then \
	echo "jimbot needs a C++20 compiler (g++ 11 or clang++ 14 and later); on Debian: apt install g++" >&2; exit 2; \
fi
endef

$(BIN)/python:
	@python=""; $(FIND_PYTHON); \
	if [ -z "$$python" ]; then \
		echo "jimbot needs Python 3.11 or newer; install it, or say where it is: make setup PYTHON=..." >&2; exit 2; \
	fi; \
	if ! "$$python" -c 'import ensurepip, venv' 2>/dev/null; then \
		echo "jimbot needs Python's venv module; on Debian: apt install python3-venv" >&2; exit 2; \
	fi; \
	echo "[setup] creating $(VENV) with $$("$$python" --version)"; \
	rm -rf $(VENV) $(BUILD); \
	"$$python" -m venv $(VENV)

# The requirements of the package, of its dev extra, which holds the build tools, and of every extra the tests need.
EXTRAS := dev docs sb3 jax tianshou rllib tracking tuning plots render export
LIST_REQUIREMENTS := import sys, tomllib; project = tomllib.load(open("pyproject.toml", "rb"))["project"]; \
	extras = project["optional-dependencies"]; \
	print(*project["dependencies"], *(each for name in sys.argv[1:] for each in extras[name]), sep="\n")

$(DEPENDENCIES): pyproject.toml constraints.txt | $(BIN)/python
	@$(NEED_COMPILER)
	@echo "[setup] installing the libraries and the development tools (two or three minutes the first time)"
	@$(BIN)/python -c '$(LIST_REQUIREMENTS)' $(EXTRAS) >$(VENV)/requirements.txt
	@$(PIP) install --requirement $(VENV)/requirements.txt
	@touch $@

EDITABLE_INSTALL := $(PIP) install --no-build-isolation --no-deps --config-settings=build-dir=$(BUILD) \
	--config-settings=cmake.define.JIMBOT_TESTS=ON \
	--config-settings=build.targets="$(subst $(space),;,$(MODULES))" --editable .

# The editable install knows every module by its path, so it is made anew when one is added, moved or removed.
MODULE_LIST := $(VENV)/.modules
.PHONY: list-modules
list-modules: | $(BIN)/python
	@find src -name '*.py' | sort >$(MODULE_LIST).new
	@if cmp -s $(MODULE_LIST).new $(MODULE_LIST); then rm $(MODULE_LIST).new; else mv $(MODULE_LIST).new $(MODULE_LIST); fi
$(MODULE_LIST): list-modules ;

$(INSTALLED): $(DEPENDENCIES) $(MODULE_LIST)
	@echo "[setup] building the engine and installing jimbot (half a minute the first time)"
	@$(EDITABLE_INSTALL)
	@touch $@

# With a configured build directory only what changed is compiled; without one the editable install makes it.
$(ENGINE): $(INSTALLED) $(ENGINE_SOURCES) $(ENGINE_HEADERS) $(BUILD_FILES)
	@$(NEED_COMPILER)
	@if [ -f $(BUILD)/build.ninja ]; then \
		echo "[setup] building the engine"; \
		$(BIN)/cmake --build $(BUILD) --target $(MODULES) -- --quiet; \
		$(BIN)/cmake --install $(BUILD) --component python \
			--prefix "$$($(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("platlib"))')" >/dev/null; \
	else \
		echo "[setup] configuring and building the engine"; \
		$(EDITABLE_INSTALL); \
	fi
	@touch $@

# --- the main job -----------------------------------------------------------------------------------------------------
.PHONY: train
train: setup ## train on Balatro for about half a minute, then compare with random play
	$(TRAIN_COMMANDS)

.PHONY: bench
bench: setup ## measure speed
	$(BENCH_COMMANDS)

# --- tests ------------------------------------------------------------------------------------------------------------
.PHONY: test test-engine test-python
test: test-engine test-python ## C++ tests, then Python tests

test-engine: setup ## C++ tests only
	@$(BIN)/cmake --build $(BUILD) --target engine_tests -- --quiet
	@$(BIN)/ctest --test-dir $(BUILD) --output-on-failure --no-tests=error

test-python: setup ## Python tests only (PYTEST_FLAGS="-m slow" for the long ones)
	@$(BIN)/python -m pytest -n $(TEST_PROCESSES) $(PYTEST_FLAGS)

.PHONY: test-slow test-learning coverage
test-slow: setup ## the tests marked slow, but for those of learning
	@$(BIN)/python -m pytest -n $(TEST_PROCESSES) -m slow --ignore tests/learning $(PYTEST_FLAGS)

test-learning: setup ## the tests in which agents learn until they are good, one after the other
	@$(BIN)/python -m pytest -n 0 -m "slow or not slow" tests/learning $(PYTEST_FLAGS)

coverage: setup ## Python tests with branch coverage; build/coverage/index.html shows the lines
	@$(BIN)/python -m pytest -n $(TEST_PROCESSES) --cov --cov-report=term --cov-report=html $(PYTEST_FLAGS)

# The sanitized module is built in a directory of its own, and its Python sees a copy of the package beside it.
.PHONY: sanitize
sanitize: setup ## all tests under the address and undefined-behavior sanitizers
	@cmake="$(CURDIR)/$(BIN)/cmake" python="$(CURDIR)/$(BIN)/python" build="$(SANITIZE_BUILD)" \
		bash tools/sanitize.sh $(PYTEST_FLAGS)

.PHONY: sanitize-threads
sanitize-threads: $(DEPENDENCIES) ## C++ tests of threads under the thread sanitizer
	@cmake="$(CURDIR)/$(BIN)/cmake" build="$(THREAD_SANITIZE_BUILD)" bash tools/sanitize_threads.sh

# Another compiler must give the same games: the conformance hash of tests/data/run_hashes.json.
.PHONY: clang
clang: $(DEPENDENCIES) ## build with clang++, run the C++ tests, compare the conformance hash
	@cmake="$(CURDIR)/$(BIN)/cmake" python="$(CURDIR)/$(BIN)/python" build="$(CLANG_BUILD)" bash tools/clang.sh

# Random games in which every invariant of the engine is checked. Failures are saved in build/sanitize/failures.
.PHONY: fuzz
fuzz: setup ## random games under the sanitizers (FUZZ_SECONDS=1800 for half an hour, FUZZ_BATCH=n to repeat)
	@cmake="$(CURDIR)/$(BIN)/cmake" python="$(CURDIR)/$(BIN)/python" build="$(SANITIZE_BUILD)" \
		bash tools/fuzz.sh --seconds $(FUZZ_SECONDS) $(if $(FUZZ_BATCH),--batch $(FUZZ_BATCH))

# --- checks -----------------------------------------------------------------------------------------------------------
.PHONY: check check-python check-cpp
check: check-python check-cpp ## formatters, linters and type checker; changes nothing

check-python: $(DEPENDENCIES) ## ruff and pyright
	@$(BIN)/ruff check --quiet
	@$(BIN)/ruff format --check --quiet || { $(BIN)/ruff format --check; echo "run: make format" >&2; exit 1; }
	@PYRIGHT_PYTHON_IGNORE_WARNINGS=1 $(BIN)/pyright --threads 2

# One stamp per source, so that only what changed is examined again.
TIDY_SOURCES := $(ENGINE_SOURCES)
TIDY_STAMPS := $(TIDY_SOURCES:engine/%.cpp=$(TIDY)/%.stamp)

check-cpp: setup ## clang-format and clang-tidy
	@$(BIN)/clang-format --dry-run -Werror $(CPP_FILES) 2>$(BUILD)/clang-format.log || { \
		sed -n 's/^\([^ :]*\):\([0-9]*\):.*/\1:\2: not formatted; run: make format/p' \
			$(BUILD)/clang-format.log | sort -u -t: -k1,1 >&2; exit 1; }
	@$(if $(TIDY_STAMPS),$(MAKE) --keep-going --jobs=2 --output-sync=target $(TIDY_STAMPS))

# clang-tidy does not know what only GCC takes.
$(TIDY)/compile_commands.json: $(BUILD)/compile_commands.json
	@mkdir -p $(@D)
	@sed 's/ -mmem[a-z]*-strategy=[^ ]*//g' $< >$@

$(TIDY)/%.stamp: engine/%.cpp $(ENGINE_HEADERS) .clang-tidy $(TIDY)/compile_commands.json
	@mkdir -p $(@D)
	@echo "[check] clang-tidy $<"
	@$(BIN)/clang-tidy --quiet -p $(TIDY) $< 2>$@.log || { cat $@.log >&2; exit 1; }
	@touch $@

.PHONY: format
format: $(DEPENDENCIES) ## format Python and C++ files
	@$(BIN)/ruff check --fix-only --quiet
	@$(BIN)/ruff format --quiet
	@$(BIN)/clang-format -i $(CPP_FILES)

# --- documents --------------------------------------------------------------------------------------------------------
# Page writers that read the source and results/ only; each writes one page, or the marked part of one.
PAGE_WRITERS := tools.readme_page tools.architecture_page tools.bench_page tools.parity_page tools.players_page \
	tools.jax_solve_page tools.columns_page tools.configuration_page tools.commands_page \
	tools.environments_api_page tests.probes.document

.PHONY: docs site
docs: site ## write the generated pages, build the site into build/docs, and run every code block of the documents
	@$(BIN)/python -m pytest tests/test_docs.py $(PYTEST_FLAGS)

site: setup ## write the generated pages and build the site into build/docs; a warning is an error
	@for writer in $(PAGE_WRITERS); do $(BIN)/python -m $$writer; done
	@$(BIN)/python -m sphinx -q -W --keep-going -b html docs build/docs
	@echo "[docs] build/docs/index.html"

# --- cleaning ---------------------------------------------------------------------------------------------------------
.PHONY: clean
clean: ## remove .venv, build and every cache
	rm -rf $(VENV) build dist wheelhouse .pytest_cache .ruff_cache .hypothesis
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +
