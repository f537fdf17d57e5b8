# Every target says what it does; `make` lists them.
GO        ?= go
# Without paths in them, packages that were built in one clone or worktree need not be built again in another.
export GOFLAGS ?= -trimpath
LINT      := bin/golangci-lint
LINT_VER  := v2.15.0
OAPI      := github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2
SQLC      := github.com/sqlc-dev/sqlc/cmd/sqlc@v1.31.1
TEMPL     := github.com/a-h/templ/cmd/templ@v0.3.1001
FUZZTIME  ?= 5s
ATTACKTIME ?= 5m
PACKAGES  ?= ./...
# Many tests wait, for a limit or a process, so more of them run at once than there are cores. `make check` vets.
TESTFLAGS ?= -vet=off -p 3 -parallel 4
# Packages that the race detector does not instrument: docs/decisions/0025-what-the-race-detector-skips.md.
UNTRACED  := modernc.org/... compress/... github.com/klauspost/compress/... regexp
# No debugger runs our tests, so they have no DWARF. encoding/json reaches our values through reflect, which is instrumented because nothing is inlined into json (-l).
RACE      := -race $(foreach p,$(UNTRACED),'-gcflags=$(p)=-race=false') '-gcflags=encoding/json=-race=false -l' \
	'-gcflags=github.com/stockhand/stockhand/...=-dwarf=false'
# Tests that compute much and wait for nothing; .ci/run runs them without the race detector.
ORACLE    := ^TestEveryMeasureByEvery|EqualTheRaw|EqualTheCards|^TestStocktakingDifferences|^TestABCClassesOfAQuery|^TestNoToolMakesMoreRequests|^TestEveryCellOpens|^TestEveryReportOpens|^TestTheCatalogueTells|^TestNamesOpenTheirCards|^TestValuesMayBeWritten|^TestEssentialColumns|^TestSalesOfDocumentsAre|^TestTheDocumentsBehind
# Tests that print measurements: `make eval`.
EVAL      := ^TestAccuracyDoesNotFall|^TestConversations$$|^TestConditionsChange|^TestWordingsKeep|^TestNoFollowUpLoses|^TestEveryConditionOfADraft|^TestQueriesOfUnseen|^TestChatterCosts|^TestSpeedAmong|^TestTrueFigures|^TestFalseFigures|^TestHonestAnswers|^TestMutatedAnswers|FullyGrounded|^TestABigCompany|^TestParaphrases|^TestAnyWordsAreRead
# Tests that .ci/run and test-fast leave to steps of their own.
OWN       := ^TestKilledAtRandomPoints|$(ORACLE)|$(EVAL)
SKIP      ?=
SCREENSHOTS ?= dist/screenshots
# Debian's package of Chromium that has no windows.
BROWSER   := chromium-headless-shell

.DEFAULT_GOAL := help
.PHONY: help conformance demo build test tools test-fast check lint lint-deploy install-test vuln fuzz crash attack \
	bench eval eval-agent oracle lines generate spelling \
	verify picture screenshots release

help: ## list the targets
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "  make %-13s %s\n", $$1, $$2}' Makefile

demo: ## answer questions about a generated shop; needs nothing but Go
	@$(GO) run ./cmd/stockhand demo

build: ## build bin/stockhand, one static binary
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags '-s -w' -o bin/stockhand ./cmd/stockhand

test: tools ## run all tests with the race detector; installs what they need (Postgres 15, curl, jq, Chromium, npm packages)
	$(GO) run ./internal/store/storetest/withpostgres -- $(GO) test $(RACE) $(TESTFLAGS) -timeout 20m \
		$(if $(SKIP),-skip '$(SKIP)') $(PACKAGES)

# The examples in README.md and docs/api.md are executed, and the console is tested in a browser. Without root or apt those
# tests are skipped; in CI they fail.
tools:
	@for t in curl jq $(BROWSER); do command -v $$t >/dev/null || missing="$$missing $$t"; done; \
	if [ -n "$$missing" ] && [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install --yes --no-install-recommends $$missing; fi

test-fast: ## run the tests on SQLite, without the race detector and those of make crash, oracle and eval; a minute if built
	GOGC=400 $(GO) test $(TESTFLAGS) -p 8 -parallel 8 -short -skip '$(OWN)' $(PACKAGES)

conformance: build ## run real clients against a demo: Redocly, Spectral, hey-api, oapi-codegen, OpenAI and MCP SDKs, Chromium
	@command -v node >/dev/null || { echo "conformance needs Node.js 20 or later"; exit 1; }
	@command -v $(BROWSER) >/dev/null || { apt-get -qq update && \
		DEBIAN_FRONTEND=noninteractive apt-get -qq install --yes --no-install-recommends $(BROWSER); }
	@test -x bin/oapi-codegen || GOBIN=$(CURDIR)/bin $(GO) install $(OAPI)
	@npm ci --prefix conformance --no-fund --no-audit --loglevel=error
	@node conformance/run.mjs bin/stockhand

check: lint lint-deploy ## run every check that is not a test: format, linter (with vet), modules, deployment files
	@test -z "$$(gofmt -l .)" || { echo "gofmt these files:"; gofmt -l .; exit 1; }
	$(GO) mod tidy -diff
	$(GO) mod verify
	@want=$$(awk '/modernc.org\/libc/{print $$2; exit}' "$$($(GO) list -m -f '{{.GoMod}}' modernc.org/sqlite)"); \
	have=$$($(GO) list -m -f '{{.Version}}' modernc.org/libc); [ "$$have" = "$$want" ] || \
		{ echo "modernc.org/libc is $$have but sqlite needs exactly $$want (docs/decisions/0006-sqlite-and-postgres.md)"; exit 1; }

lint: $(LINT) ## run the Go linter
	$(LINT) run --allow-parallel-runners

$(LINT): Makefile
	GOBIN=$(CURDIR)/bin $(GO) install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(LINT_VER)
	@touch $(LINT)

lint-deploy: ## check the Dockerfile, the Compose file and the systemd unit
	@GO="$(GO)" .ci/deploy

install-test: ## install HEAD with `go install …@version` from a local module proxy
	@GO="$(GO)" .ci/install

vuln: ## look for known vulnerabilities with govulncheck; skipped where its database cannot be reached
	@GO="$(GO)" .ci/vuln

fuzz: ## run every fuzz target for FUZZTIME (5s) each
	@GO="$(GO)" FUZZTIME="$(FUZZTIME)" .ci/fuzz

crash: ## kill the process 200 times while it writes; print what was lost or written twice
	@$(GO) test $(RACE) -vet=off -count=1 -v -run '^TestKilled' ./internal/cli

attack: ## repeat the attacks of docs/attacks.md on SQLite, on Postgres, and with three replicas; ATTACKTIME=5m bounds each
	@GO="$(GO)" ATTACKTIME="$(ATTACKTIME)" .ci/attack

bench: ## measure size, memory, start, requests, streams, pass-through, tokens and the tools on the sandbox
	$(GO) run ./internal/bench

eval: ## measure the reader of tasks, the fact checker on the tools' answers, and the memory of a large sandbox
	@$(GO) test -vet=off -count=1 -v -run '$(EVAL)|^TestFunctionWords|^TestQueriesOf|^TestRoundTrip|^TestSentencesWithFigures' \
		./internal/language ./internal/language/talk ./internal/language/eval ./internal/language/compose ./internal/language/names ./internal/grounding/groundingtest ./internal/sandbox/company

eval-agent: ## ask 60 checkable tasks of the model that STOCKHAND_LLM_… names, or of a stand-in; KIND=draft and V=1 choose and explain
	@$(GO) run ./internal/agenteval $(if $(KIND),-kind '$(KIND)') $(if $(V),-v)

oracle: ## compare figures of queries with the raw documents and with what cells open, and requests with the fewest possible
	@$(GO) test -vet=off -count=1 -v -run '$(ORACLE)' ./internal/connector/moysklad

lines: ## count the lines of Go per package, without tests and generated code
	@.ci/lines

generate: ## regenerate generated code and documents
	$(GO) run $(SQLC) generate -f internal/store/sqlc.yaml
	$(GO) run $(TEMPL) generate -log-level error
	$(GO) test . ./internal/app -run 'Design|SettingsDoc' -update
	$(GO) run ./internal/release notices > THIRD_PARTY_NOTICES.md
	$(GO) run ./internal/release sbom > sbom.cdx.json

spelling: ## collect the words that misspelt ones are corrected to; needs the Hunspell dictionaries of Debian
	$(GO) run ./internal/language/spelling/collect

verify: generate ## regenerate and expect no difference
	git diff --exit-code

picture: build ## draw docs/img/ask.svg, the picture in the README, from what the program prints
	@.ci/picture

screenshots: tools ## take pictures of every page of the console into SCREENSHOTS (dist/screenshots)
	STOCKHAND_SCREENSHOTS=$(abspath $(SCREENSHOTS)) $(GO) test -vet=off -count=1 -timeout 20m -run '^TestEveryPage' ./internal/console/e2e

release: ## build the release archives of HEAD into dist/
	@GO="$(GO)" deploy/release
