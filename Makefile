# `make` alone lists the targets. Everything is installed into .venv; nothing else on the machine changes.

BIN := .venv/bin
# A Python of 3.11 or newer: python3 if it is one, else the first that is found under its own name.
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet --quiet
CODE := shared services tests protos/generate.py

.DEFAULT_GOAL := help
.PHONY: help setup run demo play test test-long lint types imports protos gen gen-check breaking release-image bench proof mutants deploy-check check lock upgrade clean

help: ## List the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  \033[1m%-14s\033[0m %s\n", $$1, $$2}'

##-- using it

setup: .venv/.installed ## Make .venv with the locked dependencies and the project itself
	@:

run: setup ## Run every service in one process, with its own database
	@$(BIN)/baloot run

demo: setup ## Play one match between bots and show it
	@$(BIN)/baloot demo

play: setup ## Take a seat at a table in this terminal
	@$(BIN)/baloot play

##-- working on it

test: setup ## Run the tests, one worker for each core
	@$(BIN)/pytest -n auto --dist worksteal

test-long: setup ## Compare the rules with their second tellings on 100,000 rounds of every rule set, 10,000 pairs of deals, and 1,000,000 decks
	@$(BIN)/pytest -n auto --dist worksteal -m long --verbose

lint: setup imports protos ## Check style, imports between packages, and protos
	@$(BIN)/ruff check $(CODE)
	@$(BIN)/ruff format --check $(CODE)

imports: setup ## Check which package may import which
	@$(BIN)/lint-imports --no-logo

protos: setup ## Check the style of the protos
	@$(BIN)/buf lint
	@$(BIN)/buf format --diff --exit-code

types: setup ## Check types, strictly
	@$(BIN)/mypy

gen: setup ## Generate the Python of the protos
	@$(BIN)/python protos/generate.py

gen-check: setup ## Check that the generated Python is what the protos give
	@$(BIN)/python protos/generate.py --check

breaking: setup ## Check that the protos still understand what the last release wrote
	@$(BIN)/buf breaking --against protos/released.binpb

release-image: setup ## Record the protos as those of a release
	@$(BIN)/buf build --exclude-source-info -o protos/released.binpb

bench: setup ## Measure how fast it is
	@$(BIN)/python -m tests.bench

proof: setup ## Try what is promised at full size, each held to its figure (a part: PROOFS="cuts races")
	@$(BIN)/python -m tests.proof $(PROOFS)

mutants: .venv/.mutants ## Change the rules everywhere and list the changes that no test notices (a part: MODULES=play)
	@$(BIN)/python -m tests.mutants $(MODULES)

deploy-check: setup ## Check the files in deploy/
	@$(BIN)/hadolint deploy/Dockerfile
	@$(BIN)/check-jsonschema --builtin-schema vendor.compose-spec deploy/compose.yaml

check: lint types gen-check breaking deploy-check test ## Do all that CI does

##-- its dependencies

COMPILE = $(BIN)/uv pip compile --quiet --universal --python-version 3.11 \
	--generate-hashes --no-header --annotation-style line

lock: setup ## Write requirements*.txt anew after a change to pyproject.toml
	@$(COMPILE) $(LOCK_FLAGS) -o requirements.txt pyproject.toml
	@$(COMPILE) $(LOCK_FLAGS) -o requirements-dev.txt pyproject.toml --group dev -c requirements.txt
	@$(COMPILE) $(LOCK_FLAGS) -o requirements-build.txt --group build -c requirements-dev.txt
	@$(COMPILE) $(LOCK_FLAGS) -o requirements-mutants.txt --group mutants -c requirements-dev.txt

upgrade: ## Write requirements*.txt anew with the newest versions that fit
	@$(MAKE) lock LOCK_FLAGS=--upgrade

clean: ## Remove .venv and everything else that was built
	rm -rf .venv .mutants build dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
	find shared services tests protos deploy -name __pycache__ -type d -prune -exec rm -rf {} +

##-- what setup leaves behind: one stamp for the dependencies, one for the project

.venv/.locked: requirements-dev.txt
	@[ -n "$(PYTHON)" ] || { echo "Baloot needs Python 3.11 or newer, and none was found: install one, or say make PYTHON=/path/to/python3"; exit 1; }
	@echo "setup: installing into .venv (about a minute, once)"
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || $(PYTHON) -m venv --clear .venv
	@$(PIP) install --require-hashes --requirement requirements-dev.txt
	@touch $@

.venv/.installed: .venv/.locked pyproject.toml
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@

.venv/.mutants: .venv/.installed requirements-mutants.txt
	@$(PIP) install --require-hashes --requirement requirements-mutants.txt
	@touch $@
