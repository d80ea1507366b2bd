# SPDX-License-Identifier: Apache-2.0
# A thin front: CMake and Ninja do the work, CTest runs every test.
.PHONY: build configure setup demo test bench bench-contact install format tidy coverage clean
CTEST_FLAGS ?= -j$(shell nproc)

build: configure
	@cmake --build build --target carom_command carom

configure: setup
	@mkdir -p build
	@cmake --preset release >build/configure.log 2>&1 || { cat build/configure.log; exit 1; }

# installs the Debian packages that are missing; says nothing when none is
setup:
	@sh tools/setup

demo: build
	@sh tools/demo

test: configure
	@cmake --build build
	@ctest --test-dir build --output-on-failure $(CTEST_FLAGS)

bench: build
	@sh bench/run
	@sh bench/contact/run

bench-contact: build
	@sh bench/contact/run

install: build
	cmake --install build

format:
	@sh test/structure/format_is_clean --fix

tidy: setup
	@cmake --preset tidy >/dev/null && cmake --build build-tidy -- -k 0

coverage: setup
	@sh tools/coverage

clean:
	rm -rf build build-debug build-clang build-minimal build-tidy build-coverage
