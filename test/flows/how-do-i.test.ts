import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { commandLine } from "../harness/command-line.ts";
import { type Hall, startHall, temporaryFolder } from "../harness/daemon.ts";
import { hallOver, repository, writing } from "../harness/repository.ts";
import { PROJECT, SLOW, spawnRun, untilOver } from "../harness/spawned-runs.ts";

const page = readFileSync(join(import.meta.dirname, "../../docs/how-do-i.md"), "utf8");

/**
 * What starts, stops or pairs a daemon, asks at a terminal, installs something, or needs a provider; other flows play those. Teams
 * need models that submit a spec and a plan: their commands are tested beside their code.
 */
const ELSEWHERE =
  /^(?:up|down|team \w+|escalation answer|restart|init|service|pair|device remove|key (?:set|test|remove)|project (?:talk|first-commit)|config set (?:models|notify|server))\b/;

const REVIEWED = { constraints: { requireReview: true } };

/** Named without what they need. */
const MENTIONED: ReadonlySet<string> = new Set(["--version", "run diff"]);

const commands = [...page.matchAll(/^guildhall .*$|`guildhall [^`]+`/gm)]
  .map(([text]) => text.replaceAll("`", "").replace(/\s+/g, " "))
  .map((text) => text.replace(/ +#.*$| && .*$/, "").slice("guildhall ".length))
  .filter((text) => !ELSEWHERE.test(text) && !MENTIONED.has(text));

it("the answers of How do I are commands that work", { timeout: 120_000 }, async () => {
  const repo = repository({ "a.txt": "a\n" });
  const playbooks = { play: writing({ "{{title}}.txt": "x\n" }), slow: SLOW };
  const hall = await hallOver(await startHall(), { root: repo.root, config: REVIEWED, playbooks });
  const places = makePlaces(repo.root);
  expect(commands.length).toBeGreaterThan(30);
  for (const command of commands) {
    const text = await filledIn(hall, places(command));
    const { code, stderr } = await commandLine(wordsOf(text), { workspace: hall.workspace });
    expect(code, `${command}: ${stderr}`).toBe(0);
  }
});

/** Addresses and folders of this test in place of those of the page. */
function makePlaces(origin: string): (command: string) => string {
  const folder = temporaryFolder();
  const agents = join(folder, ".claude/agents");
  mkdirSync(agents, { recursive: true });
  writeFileSync(join(agents, "linter.md"), "---\nname: linter\ndescription: Lints\n---\n\nYou lint.\n");
  const tools = [".superbot2", ".openclaw"].map((name) => ({ name, folder: join(folder, name) }));
  mkdirSync(join(folder, ".superbot2/spaces"), { recursive: true });
  mkdirSync(join(folder, ".openclaw"));
  writeFileSync(join(folder, ".openclaw/openclaw.json"), "{}");
  return (command) =>
    tools
      .reduce((text, tool) => text.replace(`~/${tool.name}`, tool.folder), command)
      .replace("create Shop --clone https://example.com/shop.git", `create Cloned --clone file://${origin}`)
      .replace("~/src/shop", join(folder, "cloned"))
      .replace(".claude/agents", agents);
}

let count = 0;
let lastRun = "";

/** With a run, a hash and a checkpoint that fit the command. */
async function filledIn(hall: Hall, command: string): Promise<string> {
  if (command.includes("256me8")) {
    const { checkpoints } = (await hall.call("GET", `/api/projects/${PROJECT}/checkpoints`)).body;
    return command.replace("256me8", checkpoints[0]?.id ?? "");
  }
  if (!command.includes("ky3f")) return command;
  if (!command.endsWith("--undo")) lastRun = await runFor(hall, command);
  const hash = command.includes("HASH") ? await hashOf(hall, lastRun) : "";
  return command.replace("ky3f", lastRun).replace("HASH", hash);
}

async function runFor(hall: Hall, command: string): Promise<string> {
  const isLive = /^run (?:message|stop)/.test(command);
  const id = await spawnRun(hall, isLive ? "slow" : "play", `Note ${++count}`);
  if (isLive) return id;
  await untilOver(hall, id);
  if (command.startsWith("run revert"))
    await hall.call("POST", `/api/runs/${id}/approve`, { hash: await hashOf(hall, id) });
  return id;
}

async function hashOf(hall: Hall, id: string): Promise<string> {
  return (await hall.call("GET", `/api/runs/${id}/diff`)).body.hash;
}

function wordsOf(command: string): string[] {
  return [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");
}
