import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../../test/harness/temporary-folder.ts";
import { ChangedMeanwhile } from "../files/draft-file.ts";
import { Files } from "../files/files.ts";
import { ChangeLog } from "./change-log.ts";
import { CHANGES_FOLDER } from "./change-segment.ts";
import { contentHash } from "./content-hash.ts";
import { Gathering, type Member } from "./gathering.ts";

async function open() {
  const folder = temporaryFolder();
  const log = await ChangeLog.open(new Files(folder));
  onTestFinished(() => log.close());
  const at = (path: string) => join(folder, path);
  /** The paths that each line of the log tells of. */
  const logged = () =>
    readdirSync(at(CHANGES_FOLDER)).flatMap((name) =>
      readFileSync(join(at(CHANGES_FOLDER), name), "utf8")
        .trimEnd()
        .split("\n")
        .slice(1)
        .map((text) => (JSON.parse(text) as { writes: { path: string }[] }).writes.map(({ path }) => path)),
    );
  return { log, at, logged };
}

const put = (path: string, content: string, before?: string) => ({
  kind: "put" as const,
  path,
  content,
  base: before === undefined ? null : contentHash(before),
});

it("logs what was gathered as one line, in the order of joining, the last change at its end", async () => {
  const { log, at, logged } = await open();
  const gathering = new Gathering();
  const joined = ["b", "a"].map((path) =>
    gathering.join((gathered) => log.commit({ writes: [put(path, path)], gathered })),
  );
  await gathering.complete();
  expect(existsSync(at("a"))).toBe(false);
  await log.commit({ writes: [put("last", "last")], gathered: gathering });
  expect(await Promise.all(joined)).toMatchObject([{ state: "applied" }, { state: "applied" }]);
  expect(logged()).toEqual([["b", "a", "last"]]);
});

it("tells of changes in the order of the log, also when others are logged with them", async () => {
  const { log, logged } = await open();
  const told: string[] = [];
  const note = async (name: string, gathered?: Member | Gathering) => {
    await log.commit({ writes: [put(name, name)], gathered });
    told.push(name);
  };
  const gathering = new Gathering();
  const joined = ["first", "second"].map((name) => gathering.join((member) => note(name, member)));
  await gathering.complete();
  await Promise.all([note("last", gathering), note("other"), ...joined]);
  expect(told.toSorted()).toEqual(["first", "last", "other", "second"]);
  expect(told).toEqual(logged().flat());
});

it("lets a member be refused, and logs the rest", async () => {
  const { log, logged } = await open();
  const gathering = new Gathering();
  const refused = gathering.join(() => Promise.reject(new Error("refused")).catch(() => "refused"));
  const joined = gathering.join((gathered) => log.commit({ writes: [put("a", "a")], gathered }));
  await log.commit({ writes: [put("last", "last")], gathered: gathering });
  expect(await refused).toBe("refused");
  await joined;
  expect(logged()).toEqual([["a", "last"]]);
});

it("logs nothing at the end when a member has failed; the others go alone", async () => {
  const { log, logged } = await open();
  const gathering = new Gathering();
  const failed = gathering.join(() => Promise.reject(new Error("the disk is full")));
  const joined = gathering.join((gathered) => log.commit({ writes: [put("a", "a")], gathered }));
  await expect(failed).rejects.toThrow("the disk is full");
  await expect(log.commit({ writes: [put("last", "last")], gathered: gathering })).rejects.toThrow("the disk is full");
  gathering.end();
  await joined;
  expect(logged()).toEqual([["a"]]);
});

it("waits for a member that a person's edit disturbs, until it is done on what is there then", async () => {
  const { log, at, logged } = await open();
  await log.commit({ writes: [put("task", "one")] });
  const gathering = new Gathering();
  let tries = 0;
  const joined = gathering.join(async (gathered) => {
    for (;;) {
      tries++;
      const before = readFileSync(at("task"), "utf8");
      try {
        return await log.commit({ writes: [put("task", `${before}, closed`, before)], gathered });
      } catch (error) {
        if (!(error instanceof ChangedMeanwhile)) throw error;
      }
    }
  });
  await gathering.complete();
  writeFileSync(at("task"), "edited by hand");
  await log.commit({ writes: [put("last", "last")], gathered: gathering });
  await joined;
  expect(readFileSync(at("task"), "utf8")).toBe("edited by hand, closed");
  expect(tries).toBe(2);
  expect(logged()).toEqual([["task"], ["task", "last"]]);
});

it("does not let changes that are ready wait for one that needs what they hold", async () => {
  const { log, logged } = await open();
  const gathering = new Gathering();
  const first = gathering.join((gathered) => log.commit({ writes: [put("first", "first")], gathered }));
  const second = gathering.join(async (gathered) => {
    await first;
    return log.commit({ writes: [put("second", "second")], gathered });
  });
  await log.commit({ writes: [put("last", "last")], gathered: gathering });
  await second;
  expect(logged()).toEqual([["first"], ["second"], ["last"]]);
});

it("logs nothing of what is abandoned, neither what waits nor what comes later, and leaves no draft", async () => {
  const { log, at, logged } = await open();
  const gathering = new Gathering({ isHeld: true });
  const late = Promise.withResolvers<void>();
  const joined = [
    gathering.join((gathered) => log.commit({ writes: [put("a", "a")], gathered })),
    gathering.join(async (gathered) => {
      await late.promise;
      await log.commit({ writes: [put("b", "b")], gathered });
    }),
  ];
  await new Promise((resolve) => setImmediate(resolve));
  gathering.abandon();
  late.resolve();
  const outcomes = await Promise.allSettled([...joined, gathering.complete()]);
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  expect(logged()).toEqual([]);
  expect(readdirSync(at("."))).toEqual(["state"]);
});

it("logs what was held once it is released", async () => {
  const { log, logged } = await open();
  const gathering = new Gathering({ isHeld: true });
  const joined = gathering.join((gathered) => log.commit({ writes: [put("a", "a")], gathered }));
  await gathering.complete();
  gathering.release();
  await log.commit({ writes: [put("last", "last")], gathered: gathering });
  await joined;
  expect(logged()).toEqual([["a", "last"]]);
});
