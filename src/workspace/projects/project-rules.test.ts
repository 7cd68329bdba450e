import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  PROJECT_STATUSES,
  type Project,
  ProjectConfig,
  ProjectCreate,
  type ProjectStatus,
} from "../../contract/documents/project.ts";
import { HallError } from "../../contract/errors.ts";
import { Slug } from "../../contract/words/text.ts";
import {
  applyProjectUpdate,
  assertLegalProjectMove,
  newProject,
  slugOf,
  stepsToArchive,
  withStatus,
} from "./project-rules.ts";

const AT = "2026-01-02T03:04:05.000Z";
const LATER = "2026-02-02T03:04:05.000Z";
const LEGAL = [
  "active>suspended",
  "active>completed",
  "suspended>active",
  "suspended>completed",
  "completed>active",
  "completed>archived",
];

function project(fields: object = {}): Project {
  return { ...newProject("mill", ProjectCreate.parse({ name: "Mill" }), AT), ...fields };
}

function refusal(from: ProjectStatus, to: ProjectStatus): string | undefined {
  try {
    assertLegalProjectMove({ id: "mill", status: from }, to);
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(HallError);
    expect((error as HallError).code).toBe("illegal_move");
    return (error as HallError).message;
  }
}

describe("the moves of a project", () => {
  const pairs = PROJECT_STATUSES.flatMap((from) => PROJECT_STATUSES.map((to) => [from, to] as const));

  it.each(pairs)("from %s to %s are legal or refused with the legal ones named", (from, to) => {
    const message = refusal(from, to);
    expect(message === undefined).toBe(LEGAL.includes(`${from}>${to}`));
    const open = LEGAL.filter((pair) => pair.startsWith(`${from}>`)).map((pair) => pair.split(">")[1] ?? "");
    if (message !== undefined) for (const status of open) expect(message).toContain(status);
  });

  it("say so when there is nothing to do, or nothing to be done any more", () => {
    expect(refusal("active", "active")).toContain("already active");
    expect(refusal("archived", "active")).toContain("can't be changed");
  });

  it.each(PROJECT_STATUSES)("lead from %s to the archive by legal steps", (status) => {
    const steps = [status, ...stepsToArchive(status)];
    for (const [at, to] of steps.entries()) if (at > 0) expect(refusal(steps[at - 1] ?? to, to)).toBeUndefined();
    expect(steps.at(-1)).toBe("archived");
  });

  it("note when it was suspended and completed, and forget the completion when it is reopened", () => {
    const suspended = withStatus(project(), "suspended", AT);
    expect(suspended).toMatchObject({ status: "suspended", suspendedAt: AT });
    const completed = withStatus(suspended, "completed", LATER);
    expect(completed).toMatchObject({ status: "completed", suspendedAt: AT, completedAt: LATER });
    expect(withStatus(completed, "archived", LATER)).toMatchObject({ completedAt: LATER });
    const reopened = withStatus(completed, "active", LATER);
    expect(reopened).toMatchObject({ status: "active", suspendedAt: AT });
    expect(Object.keys(reopened)).not.toContain("completedAt");
  });
});

describe("a change of a project", () => {
  const config = ProjectConfig.parse({
    techStack: { languages: ["TypeScript"] },
    goals: ["One"],
    scope: { in: ["a"], out: ["b"] },
    constraints: { requireReview: true, defaultTimeout: 60 },
    branch: "main",
  });
  const before = project({ config, model: "a/b", workdir: "/srv" });

  it("without a word changes nothing", () => {
    expect(applyProjectUpdate(before, {})).toEqual(before);
    expect(applyProjectUpdate(before, { config: {} })).toEqual(before);
  });

  it("touches only the settings it names", () => {
    const after = applyProjectUpdate(before, {
      name: "New",
      config: { techStack: { tools: ["git"] }, scope: { out: [] }, constraints: { requireReview: false } },
    });
    expect(after).toEqual({
      ...before,
      name: "New",
      config: {
        ...config,
        techStack: { languages: ["TypeScript"], frameworks: [], tools: ["git"] },
        scope: { in: ["a"], out: [] },
        constraints: { requireReview: false, defaultTimeout: 60 },
      },
    });
  });

  it("takes away what it names with null", () => {
    const after = applyProjectUpdate(before, {
      model: null,
      workdir: null,
      config: { branch: null, constraints: { defaultTimeout: null } },
    });
    const { model, workdir, ...rest } = before;
    const { branch, ...kept } = config;
    expect(after).toEqual({ ...rest, config: { ...kept, constraints: { requireReview: true } } });
    expect(Object.keys(after)).not.toContain("model");
  });

  it("prefers goals and techStack at the top", () => {
    const after = applyProjectUpdate(before, { goals: ["Top"], config: { goals: ["Below"], branch: "next" } });
    expect(after.config).toMatchObject({ goals: ["Top"], branch: "next" });
  });

  it("never changes the status", () => {
    expect(applyProjectUpdate(before, { status: "archived" }).status).toBe("active");
  });
});

describe("the folder name for a title", () => {
  it.each([
    ["Alpha", "alpha"],
    ["  Café  Größe (2)  ", "cafe-grosse-2"],
    ["Ａｌｐｈａ", "alpha"],
    ["İstanbul", "istanbul"],
    ["a_b.c/d\\e", "a-b-c-d-e"],
    ["--help", "help"],
    ["__proto__", "proto"],
    ["🚀 Go", "go"],
    ["x".repeat(200), "x".repeat(48)],
    [`${"x".repeat(47)} yz`, "x".repeat(47)],
  ])("%s is %s", (title, slug) => {
    expect(slugOf(title)).toBe(slug);
  });

  it.each(["", "🚀", "פרויקט", "..", "---", "CON", "nul", "LPT1"])("does not exist for %s", (title) => {
    expect(slugOf(title)).toBeUndefined();
  });

  it("is always one that is allowed", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 80 }), (title) => {
        const slug = slugOf(title);
        expect(slug === undefined || Slug.safeParse(slug).success).toBe(true);
      }),
    );
  });
});
