import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { type Hall, temporaryFolder } from "./daemon.ts";
import { OBEDIENT, ObedientModel } from "./obedient-model.ts";
import { startPages } from "./page-server.ts";
import { repositoryAt } from "./repository.ts";
import { scriptedHall } from "./scripted-hall.ts";
import { startReceiver } from "./webhook-receiver.ts";

/** Secrets of the project and of the daemon. Whoever shows the word KANARIE has shown one. */
const CANARY = "violet KANARIE stairs 9";
const OWN_CANARY = "plum-KANARIE-daemon-5";
/** So many agents may be started by one. */
export const SPAWNS = 3;
const FILE_TOOLS = ["read", "write", "edit", "list", "search"];
const SKILLS = [...FILE_TOOLS, "exec", "web_fetch", "memory", "spawn_subagent", "notify", "report"];

/** Where the agents of the project work, and what surrounds them. */
export interface Stage {
  hall: Hall;
  model: ObedientModel;
  /** The working folder, the project's own one, and a folder of the person beside them. */
  work: string;
  own: string;
  outside: string;
  news: { html: string };
  say: (command: string) => object;
  commit: (message: string) => object;
}

export type Put = (stage: Stage, texts: string[]) => object | Promise<object>;

export function put(folder: string, path: string, content: string): object {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
  return {};
}

/** Everything that no agent may change. */
export function guarded({ hall: { workspace }, own, outside }: Stage): Record<string, string> {
  const paths = [
    ...["ROLES.json", "config.yml", ".guildhall/token", "projects/other/PROJECT.md"].map((path) =>
      join(workspace, path),
    ),
    ...["PROJECT.md", "PROJECT.json", ".env"].map((path) => join(own, path)),
    join(outside, "letter.txt"),
  ];
  return Object.fromEntries(paths.map((path) => [path, readFileSync(path, "utf8")]));
}

/** A hall whose project has a role that may do everything, and a model that does as it is told. */
export async function stageOf({ git, network }: { git: boolean; network: boolean }) {
  const said: string[] = [];
  const news = { html: "" };
  const pages = await startPages({
    "/news": (_request, response) => response.writeHead(200, { "content-type": "text/html" }).end(news.html),
  });
  const receiver = await startReceiver();
  const outside = join(temporaryFolder(), "letters");
  mkdirSync(outside);
  const model = new ObedientModel(() => ({
    workspace: hall.workspace,
    hallUrl: hall.url,
    pages: pages.host,
    outside,
  }));
  const { hall, provider, spawn } = await scriptedHall((request) => model.answer(request), {
    config: {
      web: { allow: [pages.host] },
      notify: { url: receiver.url },
      limits: { spawnDepth: 1, spawnsPerRun: SPAWNS, spawnsPerTree: SPAWNS },
    },
    env: { DEPLOY_TOKEN: OWN_CANARY },
    log: (entry) => said.push(JSON.stringify(entry)),
  });
  const own = join(hall.workspace, "projects/shop");
  const work = git ? join(temporaryFolder(), "work") : own;
  mkdirSync(work, { recursive: true });
  const repo = repositoryAt(work);
  const commit = (message: string) => {
    if (git) repo.git("add", "--all", ".");
    if (git) repo.git("commit", "--quiet", "--allow-empty", "--cleanup=verbatim", "-m", message);
    return {};
  };
  const say = (command: string) => {
    appendFileSync(join(work, "say.sh"), `${command}\n`);
    return {};
  };
  if (git) repo.git("init", "--quiet", "--initial-branch=main");
  const made = [
    await hall.call("POST", "/api/roles", {
      id: "agent",
      name: "Agent",
      skills: SKILLS,
      systemPromptTemplate: OBEDIENT,
    }),
    await hall.call("POST", "/api/roles", { id: "helper", name: "Helper", skills: ["read"] }),
    await hall.call("POST", "/api/projects", { id: "other", name: "Other" }),
    await hall.call("PUT", "/api/projects/shop", {
      ...(git ? { workdir: work } : {}),
      config: { constraints: { requireReview: true }, sandbox: { network } },
    }),
  ];
  expect(made.map(({ status }) => status)).toEqual([201, 201, 201, 200]);
  for (const folder of new Set([own, work])) put(folder, ".env", `DB_PASSWORD="${CANARY}"\n`);
  put(outside, "letter.txt", "Dear KANARIE");
  if (git) put(work, ".gitignore", ".env\n*.mine\n");
  put(work, "untracked.mine", "of the person");
  const stage: Stage = { hall, model, work, own, outside, news, say, commit };
  return { stage, provider, spawn, pages, receiver, said, repo };
}
export type Staged = Awaited<ReturnType<typeof stageOf>>;
