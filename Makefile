# SPDX-License-Identifier: Apache-2.0
# A thin front: CMake and Ninja do the work, CTest runs every test.
.PHONY: help build configure setup setup-tests demo test bench bench-contact playground install uninstall wheel deb docs schema format tidy mutate differential coverage clean
CTEST_FLAGS ?= -j$(shell nproc)
PREFIX ?= /usr/local
PYTHON ?= /usr/bin/python3
CONFIGURE ?=

build: configure ## build the command and the libraries: build/carom, build/lib
	@cmake --build build --target carom_command carom_shared completion

help: ## this list
	@sed -n 's/^\([a-z-]*\):[^#]*## /\1\t/p' Makefile | awk -F'\t' '{printf "make %-14s %s\n", $$1, $$2}'
	@echo "settings: PREFIX=$(PREFIX) and DESTDIR= of install; CTEST_FLAGS='$(CTEST_FLAGS)'; CONFIGURE= for CMake"

configure: setup
	@mkdir -p build
	@cmake --preset release $(CONFIGURE) >build/configure.log 2>&1 || { cat build/configure.log; exit 1; }

# installs the Debian packages that are missing; says nothing when none is
setup:
	@sh tools/setup

setup-tests:
	@sh tools/setup tests

demo: build ## install what is missing, build, run a slider-crank with play and show it
	@sh tools/demo

test: setup-tests configure ## the same set-up and what the tests need, then all tests
	@cmake --build build
	@ctest --test-dir build --output-on-failure $(CTEST_FLAGS)

bench: build ## time per step against hand-written C and other programs
	@sh bench/run
	@sh bench/contact/run

bench-contact: build ## the contact solvers on the problems of the field
	@sh bench/contact/run

install: build ## command, library, headers, models, documentation below PREFIX
	@cmake --install build --prefix "$(PREFIX)" >build/install.log || { cat build/install.log; exit 1; }
	@sh tools/installed "$(PREFIX)"

wheel: build ## the Python package as dist/carom-*.whl (docs/python.md)
	@sh tools/setup wheel
	@$(PYTHON) python/build_carom.py include build/lib/libcarom.so.0 build/python >build/wheel.log 2>&1 || { cat build/wheel.log; exit 1; }
	@$(PYTHON) python/make_wheel.py build/python dist

deb: ## Debian packages in dist/: libcarom0, libcarom-dev, carom, python3-carom, carom-doc
	@sh tools/setup deb
	@mkdir -p dist build-deb && rm -f dist/*.deb
	@debian/rules binary >build-deb/packages.log 2>&1 || { tail -40 build-deb/packages.log; exit 1; }
	@debian/rules clean >/dev/null
	@ls dist/*.deb

docs: build ## the documentation as a site: build/docs/html/index.html (docs/testing.md)
	@sh tools/setup docs
	@$(PYTHON) python/build_carom.py include build/lib/libcarom.so.0 build/python >build/wheel.log 2>&1 || { cat build/wheel.log; exit 1; }
	@$(PYTHON) tools/docs/site build/carom build/docs

playground: ## one page that runs models in a browser, build-playground/playground.html (docs/playground.md)
	@sh tools/setup playground
	@sh playground/build.sh

uninstall: ## remove what make install of this folder has put there
	@sh tools/uninstall

format: setup-tests ## lay the sources out as .clang-format says
	@sh test/structure/format_is_clean --fix

schema: build ## the JSON schema of model files anew, docs/carom-model.schema.json, after the reader's tables have changed
	@$(PYTHON) tools/schema build/carom

tidy: setup-tests ## clang-tidy over the sources with all checks (make test leaves the path analyser out)
	@sh test/structure/clang_tidy_is_silent --all

mutate: setup-tests ## change the numerical sources at random and see whether the tests notice (COUNT=200 SEED=1)
	@tools/mutate --count $(or $(COUNT),200) --seed $(or $(SEED),1)

differential: setup-tests configure ## random mechanisms: event_driven against time stepping (SEED=1 COUNT=500); what fails is in build/differential
	@cmake --build build --target differential_mechanisms >build/differential.log || { cat build/differential.log; exit 1; }
	@cd build && test/differential_mechanisms $(or $(SEED),1) $(or $(COUNT),500)

fuzz: setup-tests ## all fuzz targets, or FUZZ=fuzz_results, for SECONDS=60 each; findings stay in build-debug/findings
	@cmake --preset debug >/dev/null && cmake --build build-debug --target fuzz_targets carom_command
	@sh test/structure/fuzz $(or $(SECONDS),60) $(or $(FUZZ),$(basename $(notdir $(wildcard test/fuzz/fuzz_*.c))))

coverage: setup-tests ## which lines the tests reach
	@sh tools/coverage

clean: ## remove all builds
	rm -rf dist build build-lean build-playground build-deb build-debug build-clang build-minimal build-tidy build-coverage build-mutate
