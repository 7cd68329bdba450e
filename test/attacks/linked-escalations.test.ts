import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { EscalationStatus } from "../../src/contract/documents/escalation-status.ts";
import { eventually, type Hall, startHall, temporaryFolder } from "../harness/daemon.ts";

const STATUSES: EscalationStatus[] = ["draft", "pending", "resolved"];
const SECRET = "only-outside";
const document = (id: string, fields: object = {}) =>
  JSON.stringify({ id, question: `${SECRET} ${id}?`, status: "pending", ...fields });

const problemFiles = async (hall: Hall) =>
  (await hall.call("GET", "/api/problems")).body.problems.map(({ file }) => file);
const everything = async (hall: Hall) => {
  const paths = ["/api/escalations?limit=1000&snoozed=true", `/api/search?q=${SECRET}`, "/api/now"] as const;
  return JSON.stringify(await Promise.all(paths.map(async (path) => (await hall.call("GET", path)).body)));
};
const ask = (hall: Hall, question: string) => hall.call("POST", "/api/escalations", { type: "question", question });

/** All files of a folder with their content. */
const contentOf = (folder: string) =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")]));

it.each(STATUSES)("a link as escalations/%s leads nothing in or out, before and after a restart", async (status) => {
  const outside = temporaryFolder();
  const first = await startHall();
  const folder = join(first.workspace, "escalations", status);
  const known = (await ask(first, "Which color?")).body.escalation?.id ?? "";
  await eventually(
    async () => (await first.call("GET", `/api/escalations/${known}`)).body.escalation.status,
    (now) => now === "pending",
  );
  writeFileSync(join(outside, "esc-700.json"), document("esc-700", { status, resolution: "Yes" }));
  const before = contentOf(outside);
  renameSync(folder, `${folder}-moved`);
  symlinkSync(outside, folder);
  const check = async (hall: Hall) => {
    await eventually(
      () => problemFiles(hall),
      (files) => files.includes(`escalations/${status}`),
    );
    const { escalations } = (await hall.call("GET", "/api/escalations?status=pending&limit=1000")).body;
    expect(escalations.some(({ subject }) => subject?.id === `escalations/${status}`)).toBe(true);
    // Whatever can't be done is refused; nothing is written or read there.
    const id = (await ask(hall, `Which shape ${status}?`)).body.escalation?.id ?? known;
    await hall.call("POST", `/api/escalations/${id}/promote`, {});
    await hall.call("POST", `/api/escalations/${id}/resolve`, { resolution: "Blue" });
    await hall.call("POST", "/api/index/rebuild");
    expect(await everything(hall)).not.toContain(SECRET);
    expect((await hall.call("GET", "/api/escalations/esc-700")).status).not.toBe(200);
    expect(contentOf(outside)).toEqual(before);
  };
  await check(first);
  await first.stop();
  await check(await startHall(first.workspace));
});

it("a link as a file of a question is not followed, and is reported", async () => {
  const outside = temporaryFolder();
  const hall = await startHall();
  const at = (path: string) => join(hall.workspace, "escalations", path);
  writeFileSync(join(outside, "esc-701.json"), document("esc-701"));
  const before = contentOf(outside);
  for (const status of STATUSES) symlinkSync(join(outside, "esc-701.json"), at(`${status}/esc-701.json`));
  await eventually(
    () => problemFiles(hall),
    (files) => STATUSES.every((status) => files.includes(`escalations/${status}/esc-701.json`)),
  );
  const answers = [
    await hall.call("GET", "/api/escalations/esc-701"),
    await hall.call("POST", "/api/escalations/esc-701/resolve", { resolution: "Blue" }),
    await hall.call("POST", "/api/escalations/esc-701/dismiss", { reason: "No." }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([409, 409, 409]);
  expect([contentOf(outside), (await everything(hall)).includes(SECRET)]).toEqual([before, false]);
});

it("a link that takes the place of the whole folder is reported, and answers go nowhere", async () => {
  const outside = temporaryFolder();
  const hall = await startHall();
  const folder = join(hall.workspace, "escalations");
  rmSync(folder, { recursive: true });
  for (const status of STATUSES) mkdirSync(join(outside, status));
  writeFileSync(join(outside, "pending/esc-702.json"), document("esc-702"));
  symlinkSync(outside, folder);
  await eventually(
    () => problemFiles(hall),
    (files) => files.some((file) => file.startsWith("escalations")),
  );
  expect((await ask(hall, "Which color?")).status).toBeGreaterThanOrEqual(400);
  expect(await everything(hall)).not.toContain(SECRET);
  expect(STATUSES.map((status) => readdirSync(join(outside, status)))).toEqual([[], ["esc-702.json"], []]);
  expect(existsSync(join(outside, ".highwatermark"))).toBe(false);
});
