import { OFFLINE_PROVIDER, WELL_KNOWN_PROVIDERS } from "../../contract/documents/config.ts";
import type { FirstLook } from "../../contract/first-look.ts";
import { cleanKey, KEY_FAULTS, keyFault, providerOfKey } from "../../contract/words/provider-names.ts";
import { line, Slug } from "../../contract/words/text.ts";

/** What is to be made and written, as far as it was chosen. */
export interface SetupPlan {
  /** Tested and saved when everything is made. */
  key?: { provider: string; value: string };
  /** Only where another than the default was chosen. */
  model?: string;
  /** The same; null is no limit. */
  dayUsd?: number | null;
  project?: { path: string; name: string; roles: string[] };
}

type Step = "key" | "model" | "budget" | "project" | "name" | "roles";

export interface Question {
  step: Step;
  text: string;
  /** One of them can be named by its number. */
  choices: readonly string[];
  /** What Enter stands for. */
  offer: string;
  /** What else can be typed. */
  how: string;
  /** What is typed is not shown. */
  isHidden?: true;
}

/** How far a person is. Nothing of it is done before the last question is answered. */
export interface Setup {
  found: FirstLook;
  plan: SetupPlan;
  /** What is still to be asked. */
  left: readonly Step[];
}

const MODEL = /^([a-z0-9][a-z0-9-]{0,39})\/\S{1,160}$/;
const LONGEST_NAME = 120;
const MOST_USD = 1_000_000;
const NONE = "none";
const NO_KEY = "skip";

/** Asks only for what is missing: a hall that has projects has found its model and its budget. */
export function beginSetup(found: FirstLook): Setup {
  const isFresh = found.projects === 0;
  const left: Step[] = [
    ...(isFresh && !found.chosen.model && found.isOffline ? (["key"] as const) : []),
    ...(isFresh && !found.chosen.model ? (["model"] as const) : []),
    ...(isFresh && !found.chosen.budget ? (["budget"] as const) : []),
    ...(found.folder === undefined ? [] : (["project"] as const)),
  ];
  return { found, plan: {}, left };
}

export function nextQuestion({ found, left }: Setup): Question | undefined {
  const [step] = left;
  return step === undefined ? undefined : { step, ...wordsOf(step, found) };
}

/** The setup with the answer in it, or why the answer cannot be taken. An empty one takes the offer. */
export function answerQuestion(setup: Setup, typed: string): Setup | { problem: string } {
  const question = nextQuestion(setup);
  if (question === undefined) return setup;
  const said = typed.replaceAll(/\s+/g, " ").trim();
  const number = /^\d{1,2}$/.test(said) ? question.choices[Number(said) - 1] : undefined;
  return readers[question.step](setup, said === "" ? question.offer : (number ?? said));
}

/** What was not asked stays as it is by default, and what was not agreed to is not made. */
export function skipRest(setup: Setup): Setup {
  return { ...setup, left: [] };
}

function wordsOf(step: Step, found: FirstLook): Omit<Question, "step"> {
  const { folder, models, defaultModel, dayUsd, roleTemplates, templates } = found;
  switch (step) {
    case "key": {
      const text =
        "API key of a model provider (Anthropic, OpenAI, Google, OpenRouter, Groq, xAI). Your input is hidden.";
      return { text, choices: [], offer: NO_KEY, how: "a key", isHidden: true };
    }
    case "model": {
      const text = "Default model for agents?";
      return { text, choices: models, offer: defaultModel, how: "a number or provider/model" };
    }
    case "budget": {
      const text = "Daily model budget in US dollars?";
      return { text, choices: [], offer: dayUsd === null ? NONE : String(dayUsd), how: "a number or none" };
    }
    case "project": {
      const stack = [...(folder?.techStack.languages ?? []), ...(folder?.techStack.frameworks ?? [])];
      const text = `Create a first project from ${folder?.path}${stack.length === 0 ? "" : ` (${stack.join(", ")})`}? `;
      const promise = "You review every change before it's merged.";
      return { text: text + promise, choices: [], offer: "yes", how: "no" };
    }
    case "name":
      return { text: "Project name?", choices: [], offer: folder?.name ?? "", how: "another name" };
    case "roles": {
      const text = `Team roles? Available: ${templates.join(", ")}.`;
      return { text, choices: [], offer: roleTemplates.join(", "), how: "other roles or none" };
    }
  }
}

type Reader = (setup: Setup, said: string) => Setup | { problem: string };

const readers: Record<Step, Reader> = {
  key: (setup, said) => {
    if (said === NO_KEY) return taken(setup, {});
    const value = cleanKey(said);
    const fault = keyFault(value);
    if (fault !== undefined) return { problem: KEY_FAULTS[fault] };
    const provider = providerOfKey(value)?.name;
    if (provider === undefined)
      return {
        problem: "Can't detect the provider from this key. Skip this step and use 'key set NAME' later.",
      };
    const next = taken(setup, { key: { provider, value } });
    return { ...next, left: next.left.filter((step) => step !== "model") };
  },
  model: (setup, said) => {
    const { found } = setup;
    const provider = MODEL.exec(said)?.[1];
    if (provider === undefined) return { problem: `'${said}' is not a model. Use the form provider/model.` };
    const known = [OFFLINE_PROVIDER, ...WELL_KNOWN_PROVIDERS, ...found.providers.map(({ name }) => name)];
    if (!known.includes(provider))
      return { problem: `Unknown provider '${provider}'. Available: ${[...new Set(known)].join(", ")}.` };
    return taken(setup, said === found.defaultModel ? {} : { model: said });
  },
  budget: (setup, said) => {
    const dayUsd = said.toLowerCase() === NONE ? null : Number(said.replace(/^\$/, ""));
    if (dayUsd !== null && !(dayUsd >= 0 && dayUsd <= MOST_USD))
      return { problem: `'${said}' is not an amount. Enter a number of dollars of at least 0, or none.` };
    return taken(setup, dayUsd === setup.found.dayUsd ? {} : { dayUsd });
  },
  project: (setup, said) => {
    const { folder, roleTemplates } = setup.found;
    if (/^no?$/i.test(said) || folder === undefined) return taken(setup, {});
    if (!/^y(es)?$/i.test(said)) return { problem: "Enter yes or no." };
    const project = { path: folder.path, name: folder.name, roles: roleTemplates };
    return { ...taken(setup, { project }), left: ["name", "roles", ...setup.left.slice(1)] };
  },
  name: (setup, said) => {
    const { data, error } = line(LONGEST_NAME).safeParse(said);
    if (data === undefined) return { problem: `The name ${error?.issues[0]?.message ?? "is not valid"}.` };
    return withProject(setup, { name: data });
  },
  roles: (setup, said) => {
    const roles = said.toLowerCase() === NONE ? [] : said.split(/[ ,]+/).filter((role) => role !== "");
    const { templates, isNew } = setup.found;
    // A hall that is there may have roles of its own.
    const unknown = roles.find((role) => !(isNew ? templates.includes(role) : Slug.safeParse(role).success));
    if (unknown !== undefined) return { problem: `Unknown role '${unknown}'. Available: ${templates.join(", ")}.` };
    return withProject(setup, { roles });
  },
};

function withProject(setup: Setup, change: Partial<NonNullable<SetupPlan["project"]>>): Setup {
  const { project } = setup.plan;
  return taken(setup, project === undefined ? {} : { project: { ...project, ...change } });
}

function taken(setup: Setup, change: SetupPlan): Setup {
  return { ...setup, plan: { ...setup.plan, ...change }, left: setup.left.slice(1) };
}
