import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../test/harness/temporary-folder.ts";
import type { PlanQuestion } from "../agent/tools/plan-tools.ts";
import { openHall } from "../workspace/hall/open-hall.ts";
import { PlanDesk } from "./plan-desk.ts";

const BY_A_PERSON = { actor: { kind: "person" as const, via: "http" as const } };
const AGENT = { kind: "agent" as const, id: "project:shop", via: "daemon" as const };

async function plans() {
  const workspace = join(temporaryFolder(), "workspace");
  const { hall, close } = await openHall({ workspace, clock: () => new Date(), version: "0", warnings: [] });
  onTestFinished(close);
  await hall.projects.create({ id: "shop", name: "Shop" } as never, BY_A_PERSON);
  const desk = new PlanDesk(hall);
  let calls = 0;
  const ask = (what: PlanQuestion, input: object, callId = `call ${++calls}`) =>
    desk.ask(what, input, { projectId: "shop", actor: AGENT, callId });
  const place = (path: string) => join(workspace, "projects/shop", path);
  return { hall, ask, place, text: (slug: string) => readFileSync(place(`plans/${slug}/plan.md`), "utf8") };
}

describe("the plans of a project, as its agent keeps them", () => {
  it("are begun, read and changed, each change once and told of", async () => {
    const { hall, ask, text } = await plans();
    expect(await ask("initiative_list", {})).toBe("No initiatives yet.");
    const begin = { title: "New doors", goals: ["All doors green"] };
    expect(await ask("initiative_create", begin, "one")).toContain("'new-doors' created");
    expect(await ask("initiative_create", begin, "one")).toContain("'new-doors' created");
    await expect(ask("initiative_create", begin, "two")).rejects.toMatchObject({ code: "already_exists" });
    expect(await ask("initiative_list", {})).toBe("new-doors: New doors (0 of 0 tasks done)");
    const edit = { slug: "new-doors", old: "Not started.", new: "Started. Not started is the roof." };
    await ask("plan_edit", edit, "three");
    await ask("plan_edit", edit, "three");
    await ask("plan_edit", { slug: "new-doors", new: "- Buy paint." }, "four");
    expect(await ask("plan_read", { slug: "new-doors" })).toBe(text("new-doors"));
    expect(text("new-doors")).toBe(
      "# New doors\n\n## Goals\n\n- All doors green\n\n## State\n\nStarted. Not started is the roof.\n\n## Next\n\n- Break the goals into tasks.\n- Buy paint.\n",
    );
    const events = await hall.events.tail({ count: 3 });
    expect(events.map(({ type, actor, subject }) => [type, actor.id, subject.id])).toEqual([
      ["initiative.created", "project:shop", "new-doors"],
      ["document.written", "project:shop", "plans/new-doors/plan.md"],
      ["document.written", "project:shop", "plans/new-doors/plan.md"],
    ]);
    expect(hall.search({ q: "paint", limit: 5 } as never).hits.length).toBe(1);
  });

  it("are changed on the text that a person has just written", async () => {
    const { ask, place, text } = await plans();
    await ask("initiative_create", { title: "Doors" });
    writeFileSync(place("plans/doors/plan.md"), "# Doors\n\nBy hand.\n");
    await expect(ask("plan_edit", { slug: "doors", old: "Not started.", new: "Started." })).rejects.toThrow(
      "old not found",
    );
    await ask("plan_edit", { slug: "doors", old: "By hand.", new: "By both." });
    expect(text("doors")).toBe("# Doors\n\nBy both.\n");
  });

  it("do not grow without end", async () => {
    const { ask, text } = await plans();
    await ask("initiative_create", { title: "Doors" });
    const more = { slug: "doors", new: "x".repeat(60_000) };
    await ask("plan_edit", more);
    await expect(ask("plan_edit", more)).rejects.toThrow("more than 100000 characters");
    expect(text("doors").length).toBeLessThan(61_000);
  });

  it.each([
    ["plan_edit", { slug: "../other", new: "x" }, "slug: must be lower-case"],
    ["plan_read", { slug: "none" }, "There is no initiative 'none'"],
    ["plan_edit", { slug: "none", new: "x" }, "There is no initiative 'none'"],
    ["plan_edit", { slug: "doors", new: " " }, "Nothing to add"],
    ["plan_edit", { slug: "doors", old: "o", new: "x" }, "occurs"],
    ["plan_edit", { slug: "linked", new: "x" }, "link"],
    ["plan_edit", { slug: "away", new: "x" }, "leads out"],
    ["initiative_create", { title: "two\nlines" }, "title: must be one line"],
  ] as const)("are not changed by %s %j", async (what, input, why) => {
    const { ask, place, text } = await plans();
    await ask("initiative_create", { title: "Doors" });
    mkdirSync(place("plans/linked"));
    symlinkSync("../../PROJECT.md", place("plans/linked/plan.md"));
    const outside = temporaryFolder();
    writeFileSync(join(outside, "plan.md"), "outside\n");
    symlinkSync(outside, place("plans/away"));
    const before = [text("doors"), readFileSync(place("PROJECT.md"), "utf8")];
    await expect(ask(what, input)).rejects.toThrow(why);
    expect([text("doors"), readFileSync(place("PROJECT.md"), "utf8")]).toEqual(before);
    expect(readFileSync(join(outside, "plan.md"), "utf8")).toBe("outside\n");
  });
});
