import { describe, expect, it } from "vitest";
import type { FirstLook } from "../../contract/first-look.ts";
import { answerQuestion, beginSetup, nextQuestion, type Setup, skipRest } from "./setup-steps.ts";

const folder = {
  path: "/code/shop",
  name: "shop",
  isGit: true,
  suggestedId: "shop",
  techStack: { languages: [], frameworks: [], tools: [] },
};

function look(change: Partial<FirstLook> = {}): FirstLook {
  return {
    workspace: "/w",
    isNew: true,
    folder,
    providers: [{ name: "anthropic", source: "environment", key: true }],
    clis: [],
    defaultModel: "anthropic/claude",
    secretsFile: "/hall/.guildhall/secrets",
    isOffline: false,
    models: ["anthropic/claude", "offline/rehearsal"],
    roleTemplates: ["coder", "reviewer"],
    projects: 0,
    dayUsd: 25,
    templates: ["coder", "reviewer", "tester", "devops"],
    chosen: { model: false, budget: false },
    ...change,
  };
}

/** What was asked, and where the answers lead. */
function walk(found: FirstLook, ...answers: string[]): { asked: string[]; setup: Setup } {
  const asked: string[] = [];
  let setup = beginSetup(found);
  for (const typed of answers) {
    asked.push(nextQuestion(setup)?.step ?? "nothing");
    const next = answerQuestion(setup, typed);
    if ("problem" in next) asked.push(next.problem);
    else setup = next;
  }
  return { asked, setup };
}

describe("the questions", () => {
  it("lead to the defaults and a first project, when only Enter is pressed", () => {
    const { asked, setup } = walk(look(), "", "", "", "", "");
    expect(asked).toEqual(["model", "budget", "project", "name", "roles"]);
    expect(setup.plan).toEqual({ project: { path: "/code/shop", name: "shop", roles: ["coder", "reviewer"] } });
    expect(nextQuestion(setup)).toBeUndefined();
  });

  it("take what was chosen instead", () => {
    const { setup } = walk(look(), "2", "none", "y", "  The   Shop ", "coder tester, devops");
    expect(setup.plan).toEqual({
      model: "offline/rehearsal",
      dayUsd: null,
      project: { path: "/code/shop", name: "The Shop", roles: ["coder", "tester", "devops"] },
    });
  });

  it("end after a no to the project", () => {
    const { asked, setup } = walk(look(), "openai/gpt-5", "$3.50", "No", "");
    expect(asked).toEqual(["model", "budget", "project", "nothing"]);
    expect(setup.plan).toEqual({ model: "openai/gpt-5", dayUsd: 3.5 });
  });

  it.each([
    ["model", [], "gpt", "'gpt' is not a model. Use the form provider/model."],
    ["model", [], "9", "'9' is not a model. Use the form provider/model."],
    ["model", [], "acme/x", expect.stringMatching(/^Unknown provider 'acme'. Available: offline, anthropic, /)],
    ["budget", [""], "lots", "'lots' is not an amount. Enter a number of dollars of at least 0, or none."],
    ["budget", [""], "-1", "'-1' is not an amount. Enter a number of dollars of at least 0, or none."],
    ["project", ["", ""], "maybe", "Enter yes or no."],
    ["name", ["", "", ""], "x".repeat(121), "The name must have at most 120 characters."],
    ["roles", ["", "", "", ""], "coder ../x", "Unknown role '../x'. Available: coder, reviewer, tester, devops."],
  ])("are asked again after an answer that cannot be taken: %s %j %s", (step, before, typed, problem) => {
    const { asked, setup } = walk(look(), ...before, typed);
    expect(asked.slice(-2)).toEqual([step, problem]);
    expect(nextQuestion(setup)?.step).toBe(step);
  });

  it("are skipped with what was agreed to so far, and nothing else", () => {
    expect(skipRest(walk(look(), "2").setup).plan).toEqual({ model: "offline/rehearsal" });
    expect(skipRest(walk(look(), "", "", "yes", "Shop").setup).plan).toEqual({
      project: { path: "/code/shop", name: "Shop", roles: ["coder", "reviewer"] },
    });
    expect(nextQuestion(skipRest(beginSetup(look())))).toBeUndefined();
  });

  it.each([
    ["no folder to begin with", { folder: undefined }, ["model", "budget"]],
    ["a model that was chosen before", { chosen: { model: true, budget: false } }, ["budget", "project"]],
    ["a hall that is in use", { isNew: false, projects: 2 }, ["project"]],
    ["a hall in use and no new folder", { isNew: false, projects: 2, folder: undefined }, []],
  ])("are only those for what is missing: %s", (_, change, steps) => {
    expect(beginSetup(look(change)).left).toEqual(steps);
  });
});
