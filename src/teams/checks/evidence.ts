import { posix } from "node:path";
import type { MemberReturn } from "../../contract/documents/teams/member-return.ts";
import { HallError } from "../../contract/errors.ts";
import type { Run, Workplace } from "../../contract/runs/run.ts";
import { findingPlace } from "../../contract/words/review-words.ts";
import type { ResponsibilityType } from "../../contract/words/teams/role-spec-words.ts";
import type { Checked } from "../../quality/checks/local-checks.ts";
import type { StageOutcome } from "../../quality/gates/subject.ts";
import type { SeenWorktree, WorktreeChecks } from "../../quality/integration/worktree-checks.ts";
import { GitFailure } from "../../runs/git/git.ts";
import { FolderReader } from "../../store/files/folder-reader.ts";
import { COVERAGE_FORMATS, THRESHOLD_FILES } from "./coverage.ts";
import type { Coverage, Evidence, TestFigures, Verified } from "./judge-return.ts";
import { type ArtifactRead, readArtifact, sentArtifact } from "./read-artifact.ts";

interface Parts {
  inspect: WorktreeChecks["inspect"];
}

interface Asked {
  run: Run;
  type: ResponsibilityType;
  returned: MemberReturn | undefined;
  /** Undefined where the project has no repository. */
  place: Workplace | undefined;
  /** Where the run works. */
  folder: string;
  /** Name of an artifact that was sent as text. */
  name: string;
  signal: AbortSignal;
}

type Gathered = Pick<Evidence, "artifact" | "files" | "syntax" | "tests" | "coverage">;

const MOST_NAMED = 20;
const LARGEST_REPORT = 16_000_000;

/** What there is to judge, as Guildhall itself sees it. What can't be seen is left out, or says why. */
export async function gatherEvidence({ inspect }: Parts, asked: Asked): Promise<Gathered> {
  const { run, type, place, signal } = asked;
  const artifact = artifactOf(asked);
  if (place === undefined) return { artifact, files: undefined };
  try {
    return await inspect({ projectId: run.projectId, place, signal }, async (seen) => ({
      artifact,
      ...(await seenIn(seen, type, asked)),
    }));
  } catch (error) {
    if (!(error instanceof HallError || error instanceof GitFailure) || signal.aborted) throw error;
    const unable = { verdict: "unable" as const, detail: error.message };
    return {
      artifact,
      files: undefined,
      ...(type === "code-gen-code" ? { syntax: unable } : {}),
      ...(type === "validation" ? { tests: { ...unable, failures: [] } } : {}),
    };
  }
}

/** Who writes code may leave it out. */
function artifactOf({ returned, folder, name }: Asked): ArtifactRead | undefined {
  if (returned?.artifactPath !== undefined) return readArtifact(folder, returned.artifactPath);
  return returned?.content === undefined ? undefined : sentArtifact(name, returned.content);
}

async function seenIn(seen: SeenWorktree, type: ResponsibilityType, asked: Asked): Promise<Omit<Gathered, "artifact">> {
  const removed = seen.changes.flatMap(({ status, path, from }) =>
    status === "deleted" ? [path] : status === "renamed" && from !== undefined ? [from] : [],
  );
  const changed = seen.changes.filter(({ status }) => status !== "deleted").map(({ path }) => path);
  const files = { paths: seen.paths, changed, removed };
  if (type === "code-gen-code") return { files, syntax: syntaxOf(await seen.syntax()) };
  if (type !== "validation") return { files };
  return { files, tests: figuresOf(await seen.tests()), coverage: await coverageOf(seen, asked) };
}

function syntaxOf({ verdict, findings, reason }: StageOutcome): Verified {
  const errors = findings.filter(({ blocks }) => blocks).map((one) => `${findingPlace(one)} ${one.message}`.trim());
  if (errors.length === 0) return { verdict, detail: reason?.text };
  const more = errors.length - MOST_NAMED;
  return { verdict, detail: `${errors.slice(0, MOST_NAMED).join("\n")}${more > 0 ? `\nand ${more} more` : ""}` };
}

function figuresOf({ verdict, reason, tests }: Checked): TestFigures {
  const count = (status: string) => tests.filter((test) => test.status === status).length;
  const failures = tests.filter(({ status }) => status === "failed").map(({ name }) => name);
  const counts = { passed: count("passed"), failed: count("failed"), skipped: count("skipped") };
  return { verdict, detail: reason?.text, failures, ...(tests.length === 0 ? {} : { counts }) };
}

/** The threshold is the one of before the change; the figure is what the coverage tool wrote during this run. */
async function coverageOf({ before, prefix }: SeenWorktree, { folder, run }: Asked): Promise<Coverage> {
  let threshold: number | undefined;
  for (const { path, read } of THRESHOLD_FILES) {
    const content = threshold === undefined ? await before(posix.join(prefix, path)) : undefined;
    if (content !== undefined) threshold = read(content.toString("utf8"));
  }
  const reader = new FolderReader(folder, "refused");
  for (const { path, tool, read } of COVERAGE_FORMATS) {
    const found = reportIn(reader, path);
    if (found === undefined) continue;
    if (found.at < Date.parse(run.startedAt ?? run.createdAt))
      return { threshold, reason: `The report in ${path} is older than this run.` };
    const measured = read(found.text);
    return measured === undefined
      ? { threshold, reason: `${path} is not a report of ${tool}.` }
      : { threshold, measured };
  }
  return { threshold, reason: "No coverage report was found." };
}

function reportIn(reader: FolderReader, path: string): { text: string; at: number } | undefined {
  try {
    const { size, kind } = reader.standing(path) ?? { size: 0, kind: "folder" };
    if (kind !== "file" || size > LARGEST_REPORT) return undefined;
    return { text: reader.readContained(path, ".").toString("utf8"), at: reader.stat(path)?.mtimeMs ?? 0 };
  } catch {
    return undefined;
  }
}
