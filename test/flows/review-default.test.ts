import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { commandLine } from "../harness/command-line.ts";
import { eventually, type Hall, startHall } from "../harness/daemon.ts";
import { repository, writing } from "../harness/repository.ts";
import { furnish, PROJECT, runOf, spawnRun, untilOver } from "../harness/spawned-runs.ts";

const playbooks = { play: writing({ "new.txt": "new\n" }) };

/** As clients send it that do not name the setting. */
const unnamed = { config: { constraints: { requireReview: undefined } } };

async function made(hall: Hall, body: object) {
  return (await hall.call("POST", "/api/projects", { ...unnamed, ...body })).body.project;
}

it("review is on wherever a folder is given, off by name, and said on every surface", async () => {
  const hall = await startHall();
  const { root } = repository({ "a.txt": "a\n" });
  expect(await made(hall, { id: "plain", name: "Plain" })).toMatchObject({
    requiresReview: false,
    config: { constraints: {} },
  });
  expect(await made(hall, { id: "one", name: "One", workdir: root })).toMatchObject({
    requiresReview: true,
    config: { constraints: { requireReview: true } },
  });
  const named = await hall.call("PUT", "/api/projects/plain", { workdir: root, ...unnamed });
  expect(named.body.project.requiresReview).toBe(true);
  const begun = await hall.call("POST", "/api/welcome/project", { path: repository({}).root, id: "begun" });
  expect(begun.status).toBe(201);
  expect((await hall.call("GET", "/api/projects/begun")).body.project.requiresReview).toBe(true);

  const at = { workspace: hall.workspace };
  const cli = (...words: string[]) => commandLine(words, at);
  expect(await cli("project", "create", "Two", "--workdir", root)).toMatchObject({ code: 0 });
  expect((await cli("project", "show", "two")).stdout).toMatch(/review +required before merge/);
  expect(await cli("project", "create", "Three", "--workdir", root, "--auto-merge")).toMatchObject({ code: 0 });
  expect((await cli("project", "show", "three")).stdout).toMatch(/review +off: results are merged automatically/);
  expect((await hall.call("GET", "/api/projects/three")).body.project.config.constraints.requireReview).toBe(false);
  expect(await cli("project", "edit", "two", "--auto-merge")).toMatchObject({ code: 0 });
  expect((await hall.call("GET", "/api/projects/two")).body.project.requiresReview).toBe(false);
  const both = await cli("project", "edit", "two", "--auto-merge", "--require-review");
  expect(both.stderr).toContain("--auto-merge and --require-review can't be combined.");
  expect((await hall.call("GET", "/api/now")).body.reviewOffer).toEqual([]);
});

it("a result in a repository waits unless the project merges automatically", async () => {
  const person = repository({ "a.txt": "a\n" });
  const hall = await startHall();
  await furnish(hall, playbooks);
  await hall.call("PUT", `/api/projects/${PROJECT}`, { workdir: person.root, ...unnamed });
  const id = await spawnRun(hall, "play", "Do it");
  await untilOver(hall, id);
  expect((await runOf(hall, id)).delivery?.state).toBe("review");
  expect(person.exists("new.txt")).toBe(false);
});

it("projects from before keep merging automatically, written out once, and Now offers the change", async () => {
  const { root } = repository({ "a.txt": "a\n" });
  const first = await startHall();
  const { workspace } = first;
  for (const id of ["old", "kept", "own"]) await made(first, { id, name: id, workdir: root });
  await made(first, { id: "loose", name: "Loose" });
  await first.stop();
  for (const id of ["old", "kept"]) asBefore(workspace, id);
  rmSync(join(workspace, "state/review-default.json"));

  const hall = await startHall(workspace);
  const constraints = async (id: string) =>
    (await hall.call("GET", `/api/projects/${id}`)).body.project.config.constraints;
  expect(await constraints("old")).toEqual({ requireReview: false });
  expect(JSON.parse(readFileSync(join(workspace, "projects/old/PROJECT.json"), "utf8")).config.constraints).toEqual({
    requireReview: false,
  });
  expect(await constraints("own")).toEqual({ requireReview: true });
  expect(await constraints("loose")).toEqual({});
  const offer = async () => (await hall.call("GET", "/api/now")).body.reviewOffer;
  expect(await offer()).toEqual(["kept", "old"]);

  await hall.call("PUT", "/api/projects/kept", { config: { constraints: { requireReview: true } } });
  expect(await offer()).toEqual(["old"]);
  const answer = await hall.call("PUT", "/api/review-offer", { enable: true });
  expect(answer.body).toEqual({ success: true, changed: ["old"] });
  expect(await constraints("old")).toEqual({ requireReview: true });
  expect(await offer()).toEqual([]);

  await hall.call("PUT", "/api/projects/old", { config: { constraints: { requireReview: false } } });
  expect(await offer()).toEqual([]);
  await hall.stop();
  asBefore(workspace, "own");
  const again = await startHall(workspace);
  expect((await again.call("GET", "/api/projects/own")).body.project).toMatchObject({ requiresReview: true });
  await eventually(
    async () => (await again.call("GET", "/api/now")).body.reviewOffer,
    (ids) => ids.length === 0,
  );
});

/** Takes the setting out of the file, as the version before left it. */
function asBefore(workspace: string, id: string): void {
  const path = join(workspace, `projects/${id}/PROJECT.json`);
  const project = JSON.parse(readFileSync(path, "utf8"));
  delete project.config.constraints.requireReview;
  writeFileSync(path, JSON.stringify(project, null, 2));
}
