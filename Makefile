# Thin: each target is one command of CMake or of scripts/. `make` alone lists them.
PREFIX ?= /usr/local
DESTDIR ?=
EXAMPLE ?= twisted_cable
FUZZ_SECONDS ?= 600
SOAK_SCENES ?= 5000
SOAK_FIRST ?= 1
CROSS_SCENES ?= 100
CROSS_FIRST ?= 1
MUTANTS ?= 40
MUTANT_SEED ?= 1

BUILD := build/release
COMMAND := $(BUILD)/cordage
export DESTDIR

.DEFAULT_GOAL := help
.PHONY: help demo test quick command python build install setup bench bench-instructions fuzz soak soak-asan cross guard attack mutants asan python-asan tsan tidy format check-format clean

help: ## this list
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/make \1|\2/p' Makefile | while IFS='|' read -r name text; do \
	    printf '%-20s %s\n' "$$name" "$$text"; done

demo: command ## set up, build, simulate and draw an example (EXAMPLE=twisted_cable) into demo-run/
	@scripts/demo $(COMMAND) $(EXAMPLE) demo-run

test: ## set up, build, run every test and check
	@scripts/test

quick: build ## the unit tests only
	@ctest --test-dir $(BUILD) -L '^unit$$' --output-on-failure --no-label-summary -j 2

command: setup ## the command alone, build/release/cordage
	@echo "Building ..."
	@scripts/build_preset release cordage_command

python: setup ## import cordage: build/release/python, to be on PYTHONPATH (docs/python.md)
	@echo "Building ..."
	@scripts/build_preset release cordage_python

build: setup ## the release build, in build/release
	@echo "Building ..."
	@scripts/build_preset release

install: build ## install below PREFIX (/usr/local); DESTDIR is honoured
	@cmake --install $(BUILD) --prefix "$(PREFIX)"

setup: ## install missing packages (packages.txt)
	@scripts/setup

bench: build ## measure speed
	@$(COMMAND) bench

bench-instructions: build ## count instructions of a step by callgrind (needs valgrind)
	@scripts/bench_instructions $(COMMAND)

fuzz: setup ## fuzz the parser and the readers of runs and meshes for FUZZ_SECONDS (600) each
	@scripts/fuzz $(FUZZ_SECONDS)

soak: build ## run SOAK_SCENES (5000) random scenes, seeds from SOAK_FIRST (1) on; takes five minutes of a core
	@$(BUILD)/tests/soak/cordage_soak --count $(SOAK_SCENES) --first $(SOAK_FIRST)

soak-asan: setup ## the same under the address and undefined-behaviour sanitizers; some hundred will do
	@scripts/build_preset asan cordage_soak
	@ASAN_OPTIONS=detect_stack_use_after_return=1 UBSAN_OPTIONS=print_stacktrace=1 \
	    LSAN_OPTIONS=suppressions=tests/leak_suppressions.txt:print_suppressions=0 \
	    build/asan/tests/soak/cordage_soak --count $(SOAK_SCENES) --first $(SOAK_FIRST) --seconds 600

cross: build ## run CROSS_SCENES (100) random scenes under every model and compare where the rods end
	@scripts/cross_check $(COMMAND) --count $(CROSS_SCENES) --first $(CROSS_FIRST)

guard: build ## run every example and tell what the energy guard saw, and what the energies that were written say
	@scripts/guard_examples $(COMMAND)

asan: setup ## the unit tests under the address and undefined-behaviour sanitizers
	@scripts/check_sanitized asan unit

attack: build ## damage 1000 run files and kill 500 runs: nothing crashes, hangs or is lost; takes some minutes
	@scripts/attack $(COMMAND)

mutants: setup ## change single places of src/contact and src/world (MUTANTS=40 each, MUTANT_SEED=1) and see whether a test fails
	@scripts/mutants --count $(MUTANTS) --seed $(MUTANT_SEED)

python-asan: setup ## the tests of import cordage under the same sanitizers
	@scripts/python_asan

tsan: setup ## the tests that start threads under the thread sanitizer
	@scripts/check_sanitized tsan thread

tidy: build ## clang-tidy
	@scripts/tidy $(BUILD)

format: setup ## format every file
	@scripts/check_format --fix

check-format: setup ## check the format of every file
	@scripts/check_format

clean: ## remove build/ and demo-run/
	@rm -rf build demo-run
