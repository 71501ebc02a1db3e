# The front door: deps build demo test bench lint. Needs root only for deps (apt).

APT := build-essential cmake ninja-build ccache git pkg-config \
       libyaml-cpp-dev libfmt-dev libboost-dev libboost-context-dev libhwy-dev libssl-dev libzip-dev \
       libarchive-dev nlohmann-json3-dev libcli11-dev libsqlite3-dev libdw-dev libelf-dev libseccomp-dev \
       libsodium-dev libjpeg62-turbo-dev libpng-dev \
       libgtest-dev libgmock-dev libbenchmark-dev librapidcheck-dev libdnnl-dev \
       pybind11-dev python3-dev python3-numpy \
       libboost-mpi-dev openmpi-bin \
       libonnx-dev libonnx-testdata libglpk-dev libz3-dev libprotobuf-dev protobuf-compiler \
       clang-format clang-tidy \
       $(if $(filter x86_64,$(shell uname -m)),libxbyak-dev)

PRESET ?= release
BUILD := build/$(PRESET)
SDK := $(CURDIR)/$(BUILD)/sdk
OPKIT := $(SDK)/bin/opkit
JOBS ?= $(shell nproc)
# Where the shipped ops are installed, and what opkit finds by default at the top of the repository.
OPP := $(CURDIR)/opp

.PHONY: help architecture deps configure build sdk ops demo package package-test test test-all chips bench bench-peers fusion-gains timing-score fuzz format sizes lint tidy clean

help:
	@echo "make deps    install what a fresh Debian 12 needs (root)"
	@echo "make build   build opkit"
	@echo "make demo    scaffold an op, build it, install it, test it, run it"
	@echo "make package make Debian packages (make package-test: try them; ROOT=FOLDER: in a bare Debian there)"
	@echo "make test    build and run every test (PRESET=asan or PRESET=tsan: under sanitizers, for hours)"
	@echo "make chips   build an op once, and judge it and a model of it on every chip: a table"
	@echo "make bench   run the benchmarks"
	@echo "make bench-peers   run opkit's ops beside oneDNN, where that is installed"
	@echo "make fusion-gains  write docs/fusion-gains.md"
	@echo "make timing-score  write docs/timing-score.md: modelled times of shipped ops beside published ones"
	@echo "make fuzz    run libFuzzer on every reader, SECONDS=60 on each; needs clang"
	@echo "make lint    formatting, sizes and static checks (make tidy: of every layer)"

deps:
	@./scripts/deps.sh $(APT)

$(BUILD)/build.ninja: | deps
	cmake --preset $(PRESET)

build: deps $(BUILD)/build.ninja
	cmake --build $(BUILD) -j $(JOBS)

sdk: $(BUILD)/build.ninja
	cmake --build $(BUILD) -j $(JOBS) --target sdk
	@cmake --install $(BUILD) --prefix $(SDK) >/dev/null

# Debian packages of the tools with the SDK, of the runtime and of Python, in $(BUILD)/packages: apt install ./opkit_*.deb
package: sdk
	@rm -rf $(BUILD)/packages
	@cd $(BUILD) && cpack -B packages
	@ls -l $(BUILD)/packages/*.deb

# README's five minutes with the packages unpacked; ROOT=FOLDER: installed in a bare Debian of that folder (root, debootstrap).
package-test: package
	@./scripts/package_test.sh $(BUILD)/packages $(ROOT)

ops: sdk
	@./scripts/build_ops.sh $(OPKIT) $(OPP) $(BUILD)/ops $(JOBS) ops/fused ops/builtin ops/host

# The tools where they are built: without models, an installed SDK and the runtime of stand-alone programs.
demo: $(BUILD)/build.ninja
	@echo "building the tools for ops: a few minutes of two cores, once; every later build compiles what has changed"
	cmake --build $(BUILD) -j $(JOBS) --target op_tools
	@./scripts/demo.sh $(CURDIR)/$(BUILD)/opkit/cli/ops/opkit demo

test: build ops
	cd $(BUILD) && OPKIT_BIN=$(OPKIT) OPKIT_SDK=$(SDK) ASCEND_OPP_PATH=$(OPP) ctest --output-on-failure -j $(JOBS)

# Runs all tests with the whole fault matrix of plugins, not a slice (docs/isolation.md).
test-all: export OPKIT_FAULT_MATRIX = whole
test-all: test

chips: build ops
	@OPKIT_BIN=$(OPKIT) OPKIT_SDK=$(SDK) ASCEND_OPP_PATH=$(OPP) ./scripts/chips.sh $(BUILD)

bench: build ops
	@./scripts/bench.sh $(BUILD)

# Needs libdnnl-dev, which `make deps` leaves out.
bench-peers: ops
	@./scripts/bench_peers.sh $(BUILD) $(OPP)

# Every fused op beside the separate ones, by the model of time: the same on every machine.
timing-score: ops
	@ASCEND_OPP_PATH=$(OPP) ./scripts/timing_score.py $(OPKIT) scripts/timing_cases.tsv > $(BUILD)/timing-score.md
	@cp $(BUILD)/timing-score.md docs/timing-score.md

fusion-gains: ops
	@./scripts/fusion_gains.sh $(OPKIT) $(OPP) > $(BUILD)/fusion-gains.md
	@cp $(BUILD)/fusion-gains.md docs/fusion-gains.md

# Builds the preset fuzz, with the address and undefined behaviour sanitizers.
fuzz:
	@./scripts/fuzz.sh $(SECONDS)

# The picture and the table of layers in docs/architecture.md.
architecture: $(BUILD)/build.ninja
	cmake --preset $(PRESET) >/dev/null
	@awk -f cmake/layer_docs.awk $(BUILD)/layers.map docs/architecture.md > $(BUILD)/architecture.md
	@cp $(BUILD)/architecture.md docs/architecture.md

format: deps
	@./scripts/format.sh

# Long files and long functions: none but those that cmake/large_sizes.txt names, and these may only shrink.
sizes:
	@./scripts/sizes.sh

# clang-tidy takes two seconds per file: lint covers the layers that everything leans on, tidy all of them.
LINTED := opkit/base opkit/contract opkit/isolation opkit/model/file opkit/rewrite/onnx opkit/call/plan opkit/call/execute opkit/build/codegen opkit/build/tools opkit/core opkit/core/isa opkit/call/infer opkit/call/tiling opkit/soc \
          opkit/call/declared opkit/call/layout opkit/call/trace opkit/base/debug registry
lint: format sizes
	@./scripts/lint.sh $(BUILD) $(LINTED)

tidy: format
	@./scripts/lint.sh $(BUILD) $(LINTED) 'opkit/*' 'opkit/*/*' 'opkit/*/*/*'

clean:
	rm -rf build demo opp/.opkit opp/built-in opp/vendors/config.ini opp/vendors/*/op_pkg/*
