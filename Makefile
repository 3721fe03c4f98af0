# Development tasks of jimbot, one target each. `make help` lists them.
#
# Nothing is installed outside .venv/ and build/. Stamp files record what is up to date: a second `make setup` does
# nothing, a changed engine source is only recompiled, a changed pyproject.toml or constraints.txt reinstalls.

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
# How many seconds `make fuzz` plays, and which games: different ones every time by default.
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

# --- paths -----------------------------------------------------------------------------------------------------------
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
# Small networks are fastest on one thread, and parallel processes then do not compete for the processors.
export OMP_NUM_THREADS := 1

files = $(wildcard $(foreach package,$(1),engine/$(package)/*.$(2)))
ENGINE_PACKAGES := core catalog rules seeds view play vector learn bindings fuzz bench
ENGINE_HEADERS := $(call files,$(ENGINE_PACKAGES),hpp)
PROGRAMS := engine/fuzz/main.cpp
ENGINE_SOURCES := $(filter-out $(PROGRAMS),$(call files,$(ENGINE_PACKAGES),cpp))
TEST_SOURCES := $(wildcard engine/tests/*.cpp engine/tests/*.hpp)
CPP_FILES := $(ENGINE_HEADERS) $(ENGINE_SOURCES) $(TEST_SOURCES) $(PROGRAMS)
# The modules of a development build; jimbot._engine_dev (benchmarks and conformance battery) is not in the wheel.
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

# The requirements of the package, of its dev extra (with the build tools), and of every extra that the tests need.
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

# The editable install lists every module by path, so it is repeated when one is added, moved or removed.
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

# A configured build directory compiles only what changed; without one, the editable install creates it.
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
bench: setup ## measure the speed of the environments, the engine and the seed search
	$(BENCH_COMMANDS)

# --- tests ------------------------------------------------------------------------------------------------------------
.PHONY: test test-engine test-python
test: test-engine test-python ## run the C++ tests, then the Python tests

test-engine: setup ## run the C++ tests only
	@$(BIN)/cmake --build $(BUILD) --target engine_tests -- --quiet
	@$(BIN)/ctest --test-dir $(BUILD) --output-on-failure --no-tests=error

test-python: setup ## run the Python tests only (PYTEST_FLAGS="-k name" selects some)
	@$(BIN)/python -m pytest -n $(TEST_PROCESSES) $(PYTEST_FLAGS)

.PHONY: test-slow test-learning coverage
test-slow: setup ## run the tests marked slow, except tests/learning
	@$(BIN)/python -m pytest -n $(TEST_PROCESSES) -m slow --ignore tests/learning $(PYTEST_FLAGS)

test-learning: setup ## run the tests in which agents must learn to play well, one after the other
	@$(BIN)/python -m pytest -n 0 -m "slow or not slow" tests/learning $(PYTEST_FLAGS)

coverage: setup ## run the Python tests with branch coverage; see build/coverage/index.html
	@$(BIN)/python -m pytest -n $(TEST_PROCESSES) --cov --cov-report=term --cov-report=html $(PYTEST_FLAGS)

# The sanitized module is built in a directory of its own, and its Python sees a copy of the package beside it.
.PHONY: sanitize
sanitize: setup ## run all tests under the address and undefined-behavior sanitizers
	@cmake="$(CURDIR)/$(BIN)/cmake" python="$(CURDIR)/$(BIN)/python" build="$(SANITIZE_BUILD)" \
		bash tools/sanitize.sh $(PYTEST_FLAGS)

.PHONY: sanitize-threads
sanitize-threads: $(DEPENDENCIES) ## run the C++ tests of threads under the thread sanitizer
	@cmake="$(CURDIR)/$(BIN)/cmake" build="$(THREAD_SANITIZE_BUILD)" bash tools/sanitize_threads.sh

# Another compiler must give the same games: the conformance hash of tests/data/run_hashes.json.
.PHONY: clang
clang: $(DEPENDENCIES) ## build with clang++, run the C++ tests, compare the conformance hash
	@cmake="$(CURDIR)/$(BIN)/cmake" python="$(CURDIR)/$(BIN)/python" build="$(CLANG_BUILD)" bash tools/clang.sh

# Random games in which every invariant of the engine is checked. Failures are saved in build/sanitize/failures.
.PHONY: fuzz
fuzz: setup ## play random games under the sanitizers (FUZZ_SECONDS=1800 for half an hour, FUZZ_BATCH=n to repeat)
	@cmake="$(CURDIR)/$(BIN)/cmake" python="$(CURDIR)/$(BIN)/python" build="$(SANITIZE_BUILD)" \
		bash tools/fuzz.sh --seconds $(FUZZ_SECONDS) $(if $(FUZZ_BATCH),--batch $(FUZZ_BATCH))

# --- checks -----------------------------------------------------------------------------------------------------------
.PHONY: check check-python check-cpp
check: check-python check-cpp ## run formatters, linters and type checker without changing files

check-python: $(DEPENDENCIES) ## run ruff and pyright
	@$(BIN)/ruff check --quiet
	@$(BIN)/ruff format --check --quiet || { $(BIN)/ruff format --check; echo "run: make format" >&2; exit 1; }
	@PYRIGHT_PYTHON_IGNORE_WARNINGS=1 $(BIN)/pyright --threads 2

# One stamp per source, so that only changed files are checked again.
TIDY_SOURCES := $(ENGINE_SOURCES)
TIDY_STAMPS := $(TIDY_SOURCES:engine/%.cpp=$(TIDY)/%.stamp)

check-cpp: setup ## run clang-format and clang-tidy
	@$(BIN)/clang-format --dry-run -Werror $(CPP_FILES) 2>$(BUILD)/clang-format.log || { \
		sed -n 's/^\([^ :]*\):\([0-9]*\):.*/\1:\2: not formatted; run: make format/p' \
			$(BUILD)/clang-format.log | sort -u -t: -k1,1 >&2; exit 1; }
	@$(if $(TIDY_STAMPS),$(MAKE) --keep-going --jobs=2 --output-sync=target $(TIDY_STAMPS))

# Remove flags that only GCC knows.
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

# --- documentation --------------------------------------------------------------------------------------------------------
# Each page writer reads only the source and results/, and writes one page or the marked part of one.
PAGE_WRITERS := tools.readme_page tools.architecture_page tools.bench_page tools.parity_page tools.players_page \
	tools.jax_solve_page tools.columns_page tools.configuration_page tools.commands_page \
	tools.environments_api_page tests.probes.document

.PHONY: docs site
docs: site ## write the generated pages, build the site into build/docs, and run every code block of the documentation
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
