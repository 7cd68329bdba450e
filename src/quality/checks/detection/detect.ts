import type { QualityGates } from "../../../contract/documents/quality/quality-gates.ts";
import { filesOfCommand } from "./command-files.ts";
import { goPlans, rustPlans } from "./compiled.ts";
import { javascriptPlans, selected } from "./javascript.ts";
import { type BaseTree, type Installed, type Plan, words } from "./plan.ts";
import { pythonPlans } from "./python.ts";

type Language = "javascript" | "python" | "go" | "rust";

const MANIFESTS = new Map<string, Language>(
  Object.entries({
    "package.json": "javascript",
    "tsconfig.json": "javascript",
    "pyproject.toml": "python",
    "setup.py": "python",
    "setup.cfg": "python",
    "requirements.txt": "python",
    "pytest.ini": "python",
    "go.mod": "go",
    "Cargo.toml": "rust",
  } as const),
);
/** Folders whose manifests are not the project's own. */
const OTHERS = /(?:^|\/)(?:node_modules|vendor|testdata|fixtures?|__fixtures__|examples?|\.[^/]+|target|dist|build)\//;
const MOST_UNITS = 60;
const SOURCE_OF: Readonly<Partial<Record<Language, RegExp>>> = {
  javascript: /\.(?:[cm]?[jt]s|[jt]sx)$/,
  python: /\.py$/,
};

/** What can be checked in a tree, by its own files and by what is installed. Commands that a person set come in their place. */
export async function detectPlans(base: BaseTree, installed: Installed, settings: QualityGates): Promise<Plan[]> {
  const own = await customPlans(base, settings);
  const replaced = new Set(own.map(({ check }) => check));
  const found: Plan[] = [];
  for (const { folder, language } of unitsIn(base.paths))
    found.push(...(await PLANS[language](base, installed, folder)));
  return [...own, ...withoutCovered(found).filter(({ check }) => !replaced.has(check))];
}

const PLANS: Readonly<Record<Language, typeof goPlans>> = {
  javascript: javascriptPlans,
  python: pythonPlans,
  go: goPlans,
  rust: rustPlans,
};

/** Folders with a manifest, the outermost first; the root also where it has nothing but sources. */
function unitsIn(paths: ReadonlySet<string>): { folder: string; language: Language }[] {
  const units = new Map<string, { folder: string; language: Language }>();
  const add = (folder: string, language: Language) => units.set(`${language} ${folder}`, { folder, language });
  for (const path of paths) {
    const slash = path.lastIndexOf("/");
    const language = MANIFESTS.get(path.slice(slash + 1));
    if (language !== undefined && !OTHERS.test(path)) add(slash === -1 ? "" : path.slice(0, slash), language);
  }
  for (const [language, source] of Object.entries(SOURCE_OF) as [Language, RegExp][]) {
    const isKnown = [...units.values()].some((unit) => unit.language === language);
    if (!isKnown && [...paths].some((path) => source.test(path) && !OTHERS.test(path))) add("", language);
  }
  const depth = (folder: string) => (folder === "" ? 0 : folder.split("/").length);
  return [...units.values()]
    .toSorted((left, right) => depth(left.folder) - depth(right.folder) || (left.folder < right.folder ? -1 : 1))
    .slice(0, MOST_UNITS);
}

/** A Cargo workspace has one command for all its members. */
function withoutCovered(plans: readonly Plan[]): Plan[] {
  return plans.filter(
    (plan) =>
      plan.language !== "rust" ||
      !plans.some(
        (other) => other.language === "rust" && other.folder !== plan.folder && isBelow(plan.folder, other.folder),
      ),
  );
}

export function isBelow(path: string, folder: string): boolean {
  return folder === "" || path === folder || path.startsWith(`${folder}/`);
}

async function customPlans(base: BaseTree, { commands }: QualityGates): Promise<Plan[]> {
  const common = { language: "other" as const, folder: "", covers: /(?:)/, witnesses: [] };
  const { syntax, tests, affected, report } = commands;
  const filesOf = (...texts: (string | undefined)[]) => filesOfCommand(base, "", texts.join("\n"));
  const own: Plan[] = [];
  if (syntax !== undefined)
    own.push({
      ...common,
      check: "syntax",
      tool: "command",
      command: syntax,
      from: "commands.syntax",
      settings: await filesOf(syntax),
      format: { of: "errors", by: "go-vet" },
      build: () => ({ command: syntax, scope: "full" }),
    });
  const whole = tests ?? affected;
  if (whole !== undefined) {
    const related =
      affected === undefined ? undefined : (files: readonly string[]) => affected.replaceAll("{files}", words(files));
    own.push({
      ...common,
      check: "tests",
      tool: "command",
      command: whole,
      from: tests === undefined ? "commands.affected" : "commands.tests",
      settings: await filesOf(tests, affected),
      format:
        report === undefined
          ? { of: "tests", by: "any", in: "output" }
          : { of: "tests", by: "junit", in: "checkout", path: report },
      build: (selection) => {
        const all = tests ?? affected?.replaceAll("{files}", "") ?? "";
        const part = selection.only ?? selection.changed;
        if (
          related !== undefined &&
          (selection.scope === "affected" || selection.only !== undefined) &&
          part.length > 0
        )
          return { command: related(part), scope: "affected" };
        return selected(selection, { tool: "this command", full: () => all });
      },
    });
  }
  return own;
}
