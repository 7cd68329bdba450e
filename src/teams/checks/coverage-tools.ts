/** How each test tool measures coverage so that its report can be read, by the name under which it is detected. */
const TOOLS: Readonly<Record<string, string>> = {
  vitest: "vitest run --coverage --coverage.reporter=json-summary (coverage/coverage-summary.json)",
  jest: "jest --coverage --coverageReporters=json-summary (coverage/coverage-summary.json)",
  mocha: "c8 --reporter=lcov mocha (coverage/lcov.info)",
  node: "node --test --experimental-test-coverage --test-reporter=lcov --test-reporter-destination=lcov.info",
  "node:test": "node --test --experimental-test-coverage --test-reporter=lcov --test-reporter-destination=lcov.info",
  pytest: "pytest --cov --cov-report=json (coverage.json)",
  go: "go test ./... -coverprofile=coverage.out",
};

export function coverageToolFor(tool: string): string | undefined {
  return TOOLS[tool.toLowerCase()];
}
