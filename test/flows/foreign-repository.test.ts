import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sandboxProbe } from "../../src/agent/sandbox/probe.ts";
import { startHall, temporaryFolder } from "../harness/daemon.ts";
import { outputsOf, play, WORKER, withCommandsIn } from "../harness/hall-with-commands.ts";
import { repository } from "../harness/repository.ts";
import { PROJECT, untilOver } from "../harness/spawned-runs.ts";

const here = await sandboxProbe().settle();
const isHere = here.name !== "none";
const title = isHere
  ? "a repository that a command makes"
  : `a repository that a command makes (skipped: ${here.detail})`;

const exec = (command: string) => ({ calls: [{ tool: "exec", input: { command } }] });
const book = (...turns: object[]) => JSON.stringify({ turns: [...turns, { text: "Done." }] });
const INIT = "git init -q -b main . && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m first";

describe.skipIf(!isHere)(title, () => {
  it("does not lead the next run into another repository", async () => {
    const other = repository({ "private.txt": "canary\n" }, "other");
    const outputs = await twoRuns(`echo 'gitdir: ${other.root}/.git' > .git`, "cat private.txt; echo evil > evil.txt");
    expect(outputs[0]).toBe("200");
    expect(outputs.join()).not.toContain("canary");
    expect([other.exists("evil.txt"), other.branches()]).toEqual([false, ["main"]]);
  });

  it("does not lead there by a common folder", async () => {
    const other = repository({ "private.txt": "canary\n" }, "other");
    const outputs = await twoRuns(
      `${INIT} && echo '${other.root}/.git' > .git/commondir`,
      "cat private.txt; echo evil > evil.txt",
    );
    expect(outputs[0]).toBe("200");
    expect(outputs.join()).not.toContain("canary");
    expect([other.exists("evil.txt"), other.branches()]).toEqual([false, ["main"]]);
  });

  it("does not lead there by links in it", async () => {
    const other = repository({ "private.txt": "canary\n" }, "other");
    const link = (name: string) => `rm -rf .git/${name} && ln -s ${other.root}/.git/${name} .git/${name}`;
    const outputs = await twoRuns(
      `${INIT}; ${link("objects")}; ${link("refs")}`,
      "cat private.txt; echo evil > evil.txt",
    );
    expect(outputs[0]).toBe("200");
    expect(outputs.join()).not.toContain("canary");
    expect([other.exists("evil.txt"), other.branches()]).toEqual([false, ["main"]]);
  });

  it("does not have the daemon write where it says its files are", async () => {
    const home = temporaryFolder();
    await twoRuns(`${INIT} && git config core.worktree ${home}`, "echo evil > .profile");
    expect(existsSync(join(home, ".profile"))).toBe(false);
  });

  it("does not have the daemon write its records elsewhere", async () => {
    const home = temporaryFolder();
    await twoRuns(`${INIT} && ln -s ${home} .git/worktrees`, "echo evil > a");
    expect(readdirSync(home)).toEqual([]);
  });

  it("is set aside, and the next run works in the plain folder", async () => {
    const { hall, at } = await withCommandsIn(await startHall(), {
      make: book(exec(`mkdir sub && ${INIT} && git init -q --bare sub/bare && ln -s ../.git sub/.git`)),
      use: book(exec("echo good > good.txt")),
    });
    const made = await play(hall, "make", { overrides: { model: "offline/make" } });
    expect(outputsOf(hall, made.run.id).join()).toMatch(/Renamed: .*'\.git' is now '\.git\.set-aside-/);
    expect([existsSync(at(".git")), existsSync(at("sub/.git")), existsSync(at("sub/bare/HEAD"))]).not.toContain(true);
    expect(made.run.delivery).toMatchObject({ state: "delivered" });
    const { run } = await play(hall, "use", { overrides: { model: "offline/use" } });
    expect(run.delivery).toMatchObject({ kind: "folder", state: "delivered" });
    expect(readFileSync(at("good.txt"), "utf8")).toBe("good\n");
    const { body } = await hall.call("GET", `/api/events/log?project=${PROJECT}&limit=1000`);
    const told = body.events.filter(({ type }: { type: string }) => type === "workdir.git_set_aside");
    expect(told[0]?.after?.paths).toEqual(expect.arrayContaining([".git", "sub/.git", "sub/bare/HEAD"]));
  });
});

/** What the second run is answered, if it is begun at all. */
async function twoRuns(first: string, second: string): Promise<string[]> {
  const { hall } = await withCommandsIn(await startHall(), { make: book(exec(first)), use: book(exec(second)) });
  const { run } = await play(hall, "make", { overrides: { model: "offline/make" } });
  expect(run.status).toBe("completed");
  const request = { projectId: PROJECT, task: { title: "Use it" }, ...WORKER, overrides: { model: "offline/use" } };
  const { status, body } = await hall.call("POST", "/api/team/spawn", request);
  if (status !== 200) return [`${status} ${JSON.stringify(body)}`];
  const used = await untilOver(hall, body.sessionId, 30_000);
  return [`${status}`, ...outputsOf(hall, used.id)];
}
