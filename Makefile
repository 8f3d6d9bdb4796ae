# One command each for what people do here. The environment is .venv; nothing is installed outside of it.
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules --no-print-directory
SHELL := /bin/sh

VENV := .venv
BIN := $(VENV)/bin
STAMPS := $(VENV)/.stamps
UV_INSTALL = $(BIN)/uv pip install --python $(BIN)/python

# The interpreter of a new environment: make clean setup PYTHON=/path/to/python3.12
PYTHON ?=
# Arguments for what a target runs: make test ARGS="-k broker", make chaos ARGS="--seed 7"
ARGS ?=

.PHONY: help setup run test lint coverage fuzz chaos bench eval train schemas requirements clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: $(STAMPS)/java ## Make .venv with all pinned dependencies; .venv/bin/tailrace then works from any folder

run: setup ## Set up, start a local Kafka, play sample conversations and show their contexts live
	@echo "run: tailrace demo; Ctrl-C ends it"
	@$(BIN)/tailrace demo

test: setup ## Run every check: format, lint, types, all tests (ARGS="..." goes to pytest)
	@ops/check $(ARGS)

lint: setup ## Check format, lint and types only
	@ops/check --no-tests

coverage: setup ## Measure which statements of schemas and agents their unit tests run; fails below the bar
	@ops/coverage $(ARGS)

fuzz: setup ## Hold the engine to its laws on new conversations (ARGS="--minutes 10" or --cases, --first; --what records|identity)
	@$(BIN)/python -m ops.fuzz $(ARGS)

chaos: setup ## Run the whole kill dances: workers, API and gateway killed, stopped and ended, the broker restarted
	@$(BIN)/python -m ops.chaos.dance --full $(ARGS)
	@$(BIN)/python -m ops.chaos.doors --full $(ARGS)

bench: setup ## Measure throughput, latency and cost, as ratios in one run
	@$(BIN)/python -m ops.bench $(ARGS)

# Conversations as JSON lines; the scorer is a script beside them unless SCORE names another.
DATA ?=
SCORE ?= $(dir $(DATA))score.py
eval: setup ## Measure what contexts keep, fit and cost on recorded conversations (DATA=file.jsonl.zst [SCORE=score.py])
	@$(BIN)/python -m ops.eval $(DATA) --score $(SCORE) $(ARGS)

train: setup ## Learn what sentences are from ops/corpora, and judge that beside the ledger's rules on what is set aside
	@OMP_NUM_THREADS=1 $(BIN)/python -m ops.training $(ARGS)

schemas: setup ## Write the JSON Schemas, the AsyncAPI document and the pages made from the code again
	@$(BIN)/python -m tailrace.schemas.generation.generate
	@$(BIN)/python -m ops.pages

COMPILE = $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate --no-header
requirements: setup ## Pin all dependencies again: Python's in requirements/, Kafka's jars in streams/local_kafka/kafka_jars.py
	$(COMPILE) requirements/bootstrap.in -o requirements/bootstrap.txt
	$(COMPILE) requirements/java.in -o requirements/java.txt
	$(COMPILE) requirements/compiler.in -o requirements/compiler.txt
	$(COMPILE) pyproject.toml --extra all --group dev -o requirements/dev.txt
	$(COMPILE) requirements/peers.in -o requirements/peers.txt
	$(BIN)/python ops/pin_kafka.py

clean: ## Remove .venv and everything built; keeps the broker's data and the downloaded Kafka
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find agents ops schemas streams tests -name __pycache__ -prune -exec rm -rf {} +
	rm -f *.so agents/distill/*.so

# The steps of the set-up. A step that failed or was interrupted leaves no stamp and is done again.

# An environment that was moved with its folder, or whose Python went away in a system upgrade, is made again.
ifneq ($(shell $(BIN)/python -c '' 2> /dev/null && cat $(STAMPS)/venv 2> /dev/null),$(CURDIR))
$(shell rm -f $(STAMPS)/venv)
endif

$(STAMPS)/venv:
	@python=$$(ops/find-python $(PYTHON)) && echo "setup: $(VENV) with $$python" && "$$python" -m venv --clear $(VENV)
	@mkdir -p $(STAMPS) && echo '$(CURDIR)' > $@

$(STAMPS)/bootstrap: requirements/bootstrap.txt $(STAMPS)/venv
	@ops/step uv $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $<
	@touch $@

$(STAMPS)/dependencies: requirements/dev.txt $(STAMPS)/bootstrap
	@ops/step "pinned dependencies" $(UV_INSTALL) --require-hashes -r $<
	@touch $@

# Parts are compiled when the package is installed (setup.py).
$(STAMPS)/compiler: requirements/compiler.txt $(STAMPS)/dependencies
	@command -v $${CC:-cc} > /dev/null || { \
		ops/step "a C compiler, as this machine has none" $(UV_INSTALL) --require-hashes -r $<; }
	@touch $@

# Type checkers follow links and not import hooks, hence "strict"; links are made for the files there are at
# installation, hence the list of files. What is compiled is of the sources of its time, hence these.
$(STAMPS)/package: pyproject.toml setup.py $(wildcard agents/distill/*.py) $(STAMPS)/files $(STAMPS)/compiler
	@CC=$$(command -v $${CC:-cc} || echo "$(CURDIR)/$(BIN)/python -m ziglang cc") \
		ops/step "tailrace, part of it compiled" $(UV_INSTALL) --no-deps --no-build-isolation --config-settings editable_mode=strict --editable .
	@touch $@

$(STAMPS)/files: $(STAMPS)/venv always
	@find agents schemas streams -type f ! -path '*/__pycache__/*' ! -name '*.so' | sort > $@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@

$(STAMPS)/java: requirements/java.txt $(STAMPS)/package
	@$(BIN)/python -c 'import os; from tailrace.streams.local_kafka.java import find_java; find_java(os.environ)' 2> /dev/null || { \
		ops/step "a Java for the local Kafka, as this machine has none of version 17 or newer" \
			$(UV_INSTALL) --require-hashes -r $<; }
	@touch $@
	@echo "setup: done. Try: make run, or $(BIN)/tailrace --help"

.PHONY: always
always:
