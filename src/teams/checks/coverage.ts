/** A report of a coverage tool, by where such tools write it. */
interface CoverageFormat {
  path: string;
  tool: string;
  read: (text: string) => number | undefined;
}

/** Percent of lines, or of statements where the format has no lines. The first that is there counts. */
export const COVERAGE_FORMATS: readonly CoverageFormat[] = [
  { path: "coverage/coverage-summary.json", tool: "istanbul", read: fromSummary },
  { path: "coverage/lcov.info", tool: "lcov", read: fromLcov },
  { path: "lcov.info", tool: "lcov", read: fromLcov },
  { path: "coverage/cobertura-coverage.xml", tool: "cobertura", read: fromCobertura },
  { path: "coverage.xml", tool: "cobertura", read: fromCobertura },
  { path: "coverage.json", tool: "coverage.py", read: fromPython },
  { path: "coverage.out", tool: "go cover", read: fromGo },
  { path: "cover.out", tool: "go cover", read: fromGo },
];

function fromSummary(text: string): number | undefined {
  return numberAt(jsonOf(text), ["total", "lines", "pct"]);
}

function fromPython(text: string): number | undefined {
  return numberAt(jsonOf(text), ["totals", "percent_covered"]);
}

function fromLcov(text: string): number | undefined {
  const sum = (key: string) =>
    [...text.matchAll(new RegExp(`^${key}:(\\d+)`, "gm"))].reduce((total, [, many]) => total + Number(many), 0);
  return share(sum("LH"), sum("LF"));
}

function fromCobertura(text: string): number | undefined {
  const rate = /<coverage\b[^>]{0,2000}\bline-rate="([\d.]+)"/.exec(text)?.[1];
  return rate === undefined ? undefined : Number(rate) * 100;
}

/** `file.go:1.2,3.4 statements count`. */
function fromGo(text: string): number | undefined {
  const blocks = [...text.matchAll(/^\S+:\d+\.\d+,\d+\.\d+ (\d+) (\d+)$/gm)];
  const all = blocks.reduce((total, [, many]) => total + Number(many), 0);
  return share(
    blocks.reduce((total, [, many, hits]) => total + (Number(hits) > 0 ? Number(many) : 0), 0),
    all,
  );
}

/** Where projects say how much has to be covered. */
export const THRESHOLD_FILES: readonly { path: string; read: (text: string) => number | undefined }[] = [
  {
    path: "package.json",
    read: (text) => {
      const document = jsonOf(text);
      return (
        numberAt(document, ["jest", "coverageThreshold", "global", "lines"]) ??
        numberAt(document, ["jest", "coverageThreshold", "global", "statements"]) ??
        numberAt(document, ["c8", "lines"]) ??
        numberAt(document, ["nyc", "lines"])
      );
    },
  },
  { path: ".nycrc", read: (text) => numberAt(jsonOf(text), ["lines"]) },
  { path: ".nycrc.json", read: (text) => numberAt(jsonOf(text), ["lines"]) },
  { path: ".c8rc.json", read: (text) => numberAt(jsonOf(text), ["lines"]) },
  { path: ".coveragerc", read: failUnder },
  { path: "pyproject.toml", read: failUnder },
  { path: "setup.cfg", read: failUnder },
];

function failUnder(text: string): number | undefined {
  const value = /^\s*fail_under\s*=\s*(\d+(?:\.\d+)?)\s*$/m.exec(text)?.[1];
  return value === undefined ? undefined : Number(value);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function numberAt(value: unknown, path: readonly string[]): number | undefined {
  let at = value;
  for (const key of path) {
    if (typeof at !== "object" || at === null) return undefined;
    at = (at as Record<string, unknown>)[key];
  }
  return typeof at === "number" && Number.isFinite(at) ? at : undefined;
}

function share(part: number, whole: number): number | undefined {
  return whole === 0 ? undefined : (part / whole) * 100;
}
