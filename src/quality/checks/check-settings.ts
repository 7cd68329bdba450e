import { parsedJson } from "./formats/parsed.ts";

const NAME = /[^/]*$/;
const JS_TEST = /(?:^|\/)(?:[^/]+[.-](?:test|spec|tests)|test(?:-[^/]+)?)\.[cm]?[jt]sx?$/;
const JS_TEST_FOLDER = /(?:^|\/)(?:__tests__|tests?|spec)\/(?:.*\/)?[^/]+\.[cm]?[jt]sx?$/;
const PYTHON_TEST = /(?:^|\/)(?:test_[^/]*|[^/]*_test|conftest)\.py$/;
const GO_TEST = /_test\.go$/;
const RUST_TEST = /(?:^|\/)tests\/(?:.*\/)?[^/]+\.rs$/;

/** By the conventions of the runners that are known. */
export function isTestPath(path: string): boolean {
  return [JS_TEST, JS_TEST_FOLDER, PYTHON_TEST, GO_TEST, RUST_TEST].some((pattern) => pattern.test(path));
}

const SETTING_NAMES =
  /^(?:\.guildhall\.yml|tsconfig(?:\.[^/]+)?\.json|jsconfig\.json|(?:vitest|vite|jest|babel|playwright|ava)\.(?:config|workspace)\.[cm]?[jt]s(?:on)?|vitest\.workspace\.json|jest\.config\.json|\.mocharc(?:\.[a-z]+)?|\.babelrc(?:\.[a-z]+)?|\.swcrc|\.nycrc(?:\.json)?|\.c8rc(?:\.json)?|\.?pytest\.(?:ini|toml)|(?:jest|vitest)[.-]setup\.[cm]?[jt]sx?|setupTests\.[cm]?[jt]sx?|noxfile\.py|bunfig\.toml|\.npmrc|\.taprc|\.pnp\.[cm]?js|tox\.ini|setup\.cfg|mypy\.ini|\.mypy\.ini|pyrightconfig\.json|\.coveragerc|go\.work|rust-toolchain(?:\.toml)?|nextest\.toml|\.golangci\.ya?ml)$/;
/** Installed programs and packages count as settings: what a change puts there would be run as the runner. */
const SETTING_PATHS = /(?:^|\/)(?:\.cargo\/config(?:\.toml)?$|node_modules\/|\.venv\/|venv\/)/;

/** Whether a file does nothing but steer compilers, runners or gates. Of manifests only parts do: see `manifestSettings`. */
export function isSettingPath(path: string): boolean {
  return SETTING_NAMES.test(NAME.exec(path)?.[0] ?? "") || SETTING_PATHS.test(path);
}

/** The parts of package.json that runners read. */
const PACKAGE_KEYS = ["scripts", "jest", "mocha", "ava", "vitest", "c8", "nyc", "tap", "babel"] as const;
const STEERING_SECTION = /^tool\.(?:pytest|mypy|pyright|coverage|tox)\b/;
/** Keys that say the same outside of a section of their own; with an escape they may say anything. */
const STEERING_KEY = /^\s*(?:tool\s*[.=]|(?:tool\s*\.\s*)?(?:pytest|mypy|pyright|coverage|tox)\s*[.=]|[^=]*\\)/m;

export type ManifestName = "package.json" | "pyproject.toml";

export function manifestOf(path: string): ManifestName | undefined {
  const name = NAME.exec(path)?.[0];
  return name === "package.json" || name === "pyproject.toml" ? name : undefined;
}

/** What of a manifest steers checks, as a text that can be compared. */
export function manifestSettings(name: ManifestName, text: string): string {
  if (name === "pyproject.toml")
    return [...sectionsOf(text).filter(({ title }) => STEERING_SECTION.test(title)), ...unusualSections(text)]
      .map(({ body }) => body.trimEnd())
      .join("\n");
  const value = recordOf(parsedJson(text));
  return JSON.stringify(PACKAGE_KEYS.map((key) => value?.[key] ?? null));
}

/**
 * A changed manifest with the settings of the base: what it says about the code counts as changed, what it says about checks
 * does not. Undefined where the two can't be put together.
 */
export function withBaseSettings(name: ManifestName, changed: string, base: string): string | undefined {
  if (name === "pyproject.toml") {
    if (unusualSections(changed).length > 0 || unusualSections(base).length > 0) return base;
    const own = sectionsOf(changed).filter(({ title }) => !STEERING_SECTION.test(title));
    const steering = sectionsOf(base).filter(({ title }) => STEERING_SECTION.test(title));
    return [...own, ...steering].map(({ body }) => (body.endsWith("\n") ? body : `${body}\n`)).join("");
  }
  const [after, before] = [recordOf(parsedJson(changed)), recordOf(parsedJson(base))];
  if (after === undefined || before === undefined) return undefined;
  const kept = Object.entries(after).filter(([key]) => !(PACKAGE_KEYS as readonly string[]).includes(key));
  const steering = PACKAGE_KEYS.flatMap((key) => (before[key] === undefined ? [] : [[key, before[key]]]));
  return `${JSON.stringify(Object.fromEntries([...kept, ...steering]), null, 2)}\n`;
}

/** What may steer checks without a section of its own, such as `[tool]` with `pytest.ini_options.addopts`. */
function unusualSections(text: string): { title: string; body: string }[] {
  return sectionsOf(text).filter(
    ({ title, body }) =>
      title.includes("\\") || ((title === "" || title === "tool") && STEERING_KEY.test(body.replaceAll(/["']/g, ""))),
  );
}

/** Of a TOML file, with the lines before the first title as one without. */
export function sectionsOf(text: string): { title: string; body: string }[] {
  const sections = [{ title: "", body: "" }];
  for (const line of text.split(/(?<=\n)/)) {
    const title = /^\s*\[{1,2}\s*([^\]]{1,200})\]/.exec(line)?.[1];
    if (title !== undefined) sections.push({ title: title.replaceAll(/["'\s]/g, ""), body: line });
    else {
      const last = sections.at(-1);
      if (last !== undefined) last.body += line;
    }
  }
  return sections;
}

export function recordOf(value: unknown): Record<string, unknown> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}
