import { withoutUnseen } from "../../contract/documents/knowledge.ts";
import type { GateFinding, GateReport } from "../../contract/documents/quality/gate.ts";
import { cutText } from "../../contract/words/cut-text.ts";
import { STAGE_TABLE, type StageName } from "../../contract/words/gate-words.ts";
import { plainLine } from "./plain-line.ts";
import { isReal } from "./weak-stages.ts";

type Judged = Pick<GateReport, "verdict" | "stages">;

interface Found {
  stage: StageName;
  finding: GateFinding;
}

/** A result teaches this much at most; what matters most comes first. */
const MOST_LESSONS = 3;
const LONGEST_MESSAGE = 240;
const LONGEST_FIX = 160;
const SEVERITIES: readonly GateFinding["severity"][] = ["critical", "high", "medium", "low"];
/** Folders whose name alone says nothing about what is in them. */
const GENERIC = new Set(["src", "lib", "app", "apps", "packages", "test", "tests", "cmd", "internal"]);

/**
 * What rework teaches: statements about findings that kept a result from passing and are gone from the one that passed. `reports`: all
 * of one piece of work, the oldest first. The same findings in the same place give the same words, so that they are known as one.
 */
export function reworkLessons(reports: readonly Judged[]): string[] {
  const last = reports.at(-1);
  if (last?.verdict !== "pass") return [];
  const left = new Set(findingsIn(last).map(({ finding }) => finding.id));
  const fixed = reports
    .slice(0, -1)
    .filter(({ verdict }) => verdict === "fail")
    .flatMap(findingsIn)
    .filter(({ finding }) => !left.has(finding.id));
  const ranked = fixed.toSorted((one, other) => rankOf(one) - rankOf(other));
  return [...new Set(ranked.flatMap((found) => lessonOf(found) ?? []))].slice(0, MOST_LESSONS);
}

function findingsIn({ stages }: Judged): Found[] {
  return stages.flatMap(({ name, findings }) => findings.filter(isReal).map((finding) => ({ stage: name, finding })));
}

function rankOf({ finding }: Found): number {
  return SEVERITIES.indexOf(finding.severity);
}

/** Undefined of what says nothing about the next task. */
function lessonOf({ stage, finding }: Found): string | undefined {
  const place = placeOf(finding.file);
  if (finding.code === "review") return reviewLesson(stage, finding, place);
  return LESSONS[finding.code]?.(place);
}

/** A reviewer's words are quoted: they are a model's, about text of others. */
function reviewLesson(stage: StageName, { message, fix }: GateFinding, place: string): string | undefined {
  const said = cutText(plainLine(message), LONGEST_MESSAGE);
  if (!/[\p{L}\p{N}]/u.test(withoutUnseen(said))) return undefined;
  const how = fix === undefined || fix.trim() === "" ? "" : ` Fix: ${cutText(plainLine(fix), LONGEST_FIX)}`;
  return `${STAGE_TABLE[stage].label} in ${place}: ${said}${how}`;
}

const LESSONS: Partial<Record<GateFinding["code"], (place: string) => string>> = {
  "compile-error": (place) =>
    `Results in ${place} came back with compile errors. Compile or type-check before you report.`,
  "test-failed": (place) => `Results in ${place} came back with failing tests. Run the tests before you report.`,
  "test-unsteady": (place) => `Tests in ${place} failed by chance. Inject time and order, and share no state.`,
  "test-not-run": (place) => `Tests in ${place} did not run. Put them where the test command finds them.`,
  "test-deleted": (place) => `Tests in ${place} were deleted to pass. Fix the code, and keep the tests.`,
  "test-skipped": (place) => `Tests in ${place} were skipped to pass. Fix the code, and keep the tests running.`,
  "test-focused": (place) =>
    `Tests in ${place} were focused, so that others did not run. Remove .only before you report.`,
  "test-emptied": (place) => `Tests in ${place} had no checks. Assert on the result.`,
  "test-weakened": (place) => `Tests in ${place} were weakened to pass. Fix the code, and keep the checks.`,
  "not-red-before": (place) => `New tests in ${place} passed without the change. Write a test that fails first.`,
  "red-unclear": (place) =>
    `New tests in ${place} were not shown to fail without the change. Write a test that fails first.`,
  "no-tests-added": (place) => `Code in ${place} came without tests. Add a test that fails without the change.`,
  unproven: (place) => `Code in ${place} could be undone without a failing test. Test every branch you add.`,
  "gate-settings-changed": () => "Settings of tests or checks were changed to pass. Leave them as they are.",
  "requirement-missing": () =>
    "A requirement was missing in the first result. Go through every requirement before you report.",
  "requirement-partial": () =>
    "A requirement was met in part in the first result. Check every acceptance criterion before you report.",
  unlinked: () =>
    "Tests did not name the requirement they prove. Put its id, such as REQ-001, into the name of the test.",
  unwired: (place) => `New code in ${place} was called by nothing. Wire it in, and test it from where it is used.`,
  "no-rollback": (place) => `A change in ${place} had no way back. Say how it is rolled back, and test it.`,
};

/** The folder of a file, in so few words that other files of it are the same place. */
function placeOf(file: string | undefined): string {
  const parts = plainLine(file ?? "")
    .split("/")
    .slice(0, -1);
  const [first] = parts;
  if (first === undefined || first === "") return "the project";
  return cutText(GENERIC.has(first) ? parts.slice(0, 2).join("/") : first, 80);
}
