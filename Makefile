# Heddle. CMake does the work; this file is the short way to it.
#
#   make            build (and first install what is missing): build/heddle, build/programs/*
#   make tool       build the tool alone: build/heddle
#   make demo       find a bug, replay it, verify the repaired program
#   make check      the quick tests: under a minute on two cores, after a build
#   make test       all tests but the long ones          make test-long   the long ones
#   make bench      the tables of bench/                 make test-asan   unit tests under ASan, UBSan
#   make install PREFIX=/usr/local [DESTDIR=]            make format      clang-format everything
#   make picture    the picture of the README, by Chromium
#   make clean      make setup
#
# JOBS=N cores for the build, TEST_JOBS=N tests at a time, BUILD=DIR another build folder.

BUILD = build
PREFIX = /usr/local
JOBS = $(shell nproc)
TEST_JOBS = 2
TARGET = all
CMAKE_OPTIONS =

# A build folder keeps the generator that it was made with.
GENERATOR = $(if $(wildcard $(BUILD)/CMakeCache.txt),,$(if $(shell command -v ninja),-G Ninja))

.PHONY: all tool demo picture check test test-long test-asan bench install clean setup setup-test format

all: setup
	@cmake -S . -B $(BUILD) $(GENERATOR) $(CMAKE_OPTIONS) --log-level=NOTICE
	@cmake --build $(BUILD) -j $(JOBS) --target $(TARGET)

tool:
	@$(MAKE) all TARGET="heddle-tool libheddle.so"

demo: all
	@sh tools/demo.sh $(BUILD)

picture: setup-test all
	@sh tools/picture.sh $(BUILD)

check: all
	@sh tools/run-tests.sh $(BUILD) -L check -j $(TEST_JOBS)

test: setup-test all
	@cmake --build $(BUILD) -j $(JOBS) --target programs-variants
	@sh tools/run-tests.sh $(BUILD) -LE "long|quick" -j $(TEST_JOBS)

test-long: setup-test all
	@cmake --build $(BUILD) -j $(JOBS) --target programs-variants
	@sh tools/run-tests.sh $(BUILD) -L long -j $(TEST_JOBS)

test-asan:
	@$(MAKE) all BUILD=$(BUILD)-asan TARGET=unit-tests CMAKE_OPTIONS=-DHEDDLE_SANITIZE=ON
	@sh tools/run-tests.sh $(BUILD)-asan -L unit -j $(TEST_JOBS)

bench: all
	@for script in bench/*.sh; do \
	    [ ! -e "$$script" ] || \
	    HEDDLE=$(abspath $(BUILD))/heddle BUILD=$(abspath $(BUILD)) SOURCE=$(CURDIR) sh "$$script" || exit 1; \
	done

install: all
	@DESTDIR="$(DESTDIR)" cmake --install $(BUILD) --prefix "$(PREFIX)"

clean:
	@rm -rf $(BUILD) $(BUILD)-asan

setup:
	@sh tools/setup.sh

setup-test:
	@sh tools/setup.sh packages-test.txt

format:
	@sh tools/check-format.sh . --fix
