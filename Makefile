# Every target says what it does; `make` alone lists them.
GO        ?= go
LINT      := bin/golangci-lint
LINT_VER  := v2.15.0
SQLC      := github.com/sqlc-dev/sqlc/cmd/sqlc@v1.31.1
FUZZTIME  ?= 5s
PACKAGES  ?= ./...

.DEFAULT_GOAL := help
.PHONY: help demo build test tools test-fast check lint fuzz crash bench eval generate verify

help: ## list the targets
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "  make %-10s %s\n", $$1, $$2}' Makefile

demo: ## answer questions about a generated shop; nothing else to install
	@$(GO) run ./cmd/stockhand demo

build: ## build bin/stockhand, one static binary
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags '-s -w' -o bin/stockhand ./cmd/stockhand

test: tools ## install what the tests need (Postgres 15, curl, jq, an npm package) and run them all, with the race detector
	$(GO) run ./internal/store/storetest/withpostgres -- $(GO) test -race -timeout 20m $(PACKAGES)

# The tours in README and docs/api.md are run as they stand. Without root or apt they are skipped, and CI fails.
tools:
	@for t in curl jq; do command -v $$t >/dev/null || missing="$$missing $$t"; done; \
	if [ -n "$$missing" ] && [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install --yes --no-install-recommends $$missing; fi

test-fast: ## the tests on SQLite alone, without the race detector
	$(GO) test $(PACKAGES)

check: lint ## everything that is checked besides the tests: format, vet, linter, module file, generated code
	@test -z "$$(gofmt -l .)" || { echo "gofmt these files:"; gofmt -l .; exit 1; }
	$(GO) vet ./...
	$(GO) mod tidy -diff
	$(GO) mod verify
	@want=$$(awk '/modernc.org\/libc/{print $$2; exit}' "$$($(GO) list -m -f '{{.GoMod}}' modernc.org/sqlite)"); \
	have=$$($(GO) list -m -f '{{.Version}}' modernc.org/libc); [ "$$have" = "$$want" ] || \
		{ echo "modernc.org/libc is $$have but sqlite needs exactly $$want (docs/decisions/0006-sqlite-and-postgres.md)"; exit 1; }

lint: $(LINT) ## run the linter
	$(LINT) run --allow-parallel-runners

$(LINT): Makefile
	GOBIN=$(CURDIR)/bin $(GO) install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(LINT_VER)
	@touch $(LINT)

fuzz: ## run every fuzz target for FUZZTIME (5s) each
	@GO="$(GO)" FUZZTIME="$(FUZZTIME)" .ci/fuzz

crash: ## kill the process 200 times while it writes, and count what was lost or doubled
	@$(GO) test -count=1 -v -run '^TestKilled' ./internal/cli

bench: ## measure the tools on the sandbox: requests, time against the limits' bound, memory
	$(GO) run ./internal/bench

eval: ## measure the reader of tasks on its labelled phrases
	@$(GO) run ./internal/language/eval

generate: ## make the generated code anew
	$(GO) run $(SQLC) generate -f internal/store/sqlc.yaml

verify: generate ## generate and expect no difference
	git diff --exit-code
