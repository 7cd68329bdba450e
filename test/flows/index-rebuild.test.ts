import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { type Board, boardOf, eventsOf, furnishedBoard, handMade, startBoard } from "../harness/board.ts";
import { eventually, type Hall, startHall, temporaryFolder } from "../harness/daemon.ts";
import { dumpIndex } from "../harness/index-dump.ts";

describe("an index that cannot be used", () => {
  const index = (hall: Hall) => join(hall.workspace, ".guildhall/index.db");
  const SPOILINGS: [name: string, spoil: (path: string) => void][] = [
    ["is gone", (path) => rmSync(path)],
    ["is empty", (path) => writeFileSync(path, "")],
    ["is no database", (path) => writeFileSync(path, "nonsense ".repeat(1_000))],
    ["is cut in half", (path) => writeFileSync(path, readFileSync(path).subarray(0, 20_000))],
    [
      "has damaged pages",
      (path) => {
        const file = openSync(path, "r+");
        for (let at = 4_096; at < 60_000; at += 512) writeSync(file, Buffer.alloc(256, 0xa5), 0, 256, at);
        closeSync(file);
      },
    ],
    [
      "is of another version",
      (path) => {
        const db = new DatabaseSync(path);
        db.exec("PRAGMA user_version = 999");
        db.close();
      },
    ],
    [
      "was changed by someone else",
      (path) => {
        const db = new DatabaseSync(path, { enableForeignKeyConstraints: false });
        db.exec("UPDATE tasks SET title = 'Forged'; DELETE FROM roles");
        db.close();
      },
    ],
  ];

  it.each(SPOILINGS)("because it %s is built anew from the files [S0-DB-08]", async (_name, spoil) => {
    const board = await furnishedBoard();
    const seen = async (from: Board) => [
      await from.list(),
      (await from.hall.call("GET", "/api/roles")).body,
      (await from.ask("GET", "")).body.project.team,
      (await from.hall.call("GET", "/api/search?q=login")).body,
    ];
    const before = await seen(board);
    await board.hall.stop();
    const dump = dumpIndex(board.hall.workspace);
    spoil(index(board.hall));
    const again = boardOf(await startHall(board.hall.workspace));
    expect(await seen(again)).toEqual(before);
    const started = (await eventsOf(again.hall, "type=daemon.started")).at(-1);
    expect(started?.after?.indexRebuiltBecause).toEqual(expect.any(String));
    await again.hall.stop();
    expect(dumpIndex(board.hall.workspace)).toEqual(dump);
  });

  it("is not needed: files alone, copied to another place, give the same hall [S0-DB-08 S4-SCOPE-17]", async () => {
    const board = await furnishedBoard();
    const linked = await board.hall.call("PUT", "/api/projects/alpha", { workdir: temporaryFolder() });
    expect(linked.status).toBe(200);
    await board.hall.stop();
    const dump = dumpIndex(board.hall.workspace);
    rmSync(join(board.hall.workspace, ".guildhall"), { recursive: true });
    const again = await startHall(board.hall.workspace);
    await again.stop();
    expect(dumpIndex(board.hall.workspace)).toEqual(dump);
  });
});

/** A number from 0 to 1 that depends only on the seed and how often it was asked. */
function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Things that clients and people do, each with its own luck: a request may be refused, a file may be gone. */
function deeds(board: Board, roll: () => number): (() => Promise<unknown> | unknown)[] {
  const pick = <Value>(values: readonly Value[]): Value => values[Math.floor(roll() * values.length)] as Value;
  const words = () => Array.from({ length: 3 }, () => pick(["login", "page", "form", "door", "key", "café"])).join(" ");
  const status = () => pick(["pending", "assigned", "in-progress", "review", "blocked", "done", "failed", "cancelled"]);
  const file = () => pick(board.files().filter((path) => path.endsWith(".md")));
  const id = () => /TASK-\d+/.exec(file() ?? "TASK-001")?.[0] ?? "TASK-001";
  const edit = (change: (text: string) => string) => () => {
    const path = `TASKS/${file()}`;
    if (existsSync(board.at(path))) board.write(path, change(board.read(path)));
  };
  const add = () =>
    board.ask("POST", "/tasks", {
      title: words(),
      description: words(),
      labels: [words()],
      plan: pick(["one", "two"]),
    });
  return [
    add,
    add,
    () => board.ask("PUT", `/tasks/${id()}`, { title: words(), notes: words(), labels: [words(), "x"] }),
    () => board.ask("PUT", `/tasks/${id()}`, { blockedBy: [id()], priority: pick(["low", "high"]) }),
    () =>
      board.ask("PUT", `/tasks/${id()}`, {
        blocks: [],
        description: "",
        completionNotes: "",
        context: { files: [words()] },
      }),
    () => board.ask("POST", `/tasks/${id()}/move`, { status: status() }),
    () =>
      board.ask(
        "POST",
        `/tasks/${id()}/move`,
        { status: status(), outcome: "partial" },
        { "idempotency-key": words().replaceAll(" ", "-").replace("é", "e") + roll() },
      ),
    () => board.ask("PUT", "/context", { path: `${pick(["a", "b/c"])}.md`, content: `# ${words()}\n${words()}` }),
    () => board.ask("POST", "/artifacts", { name: "report.md", content: words() }),
    () => board.hall.call("PUT", "/api/roles/coder", { description: words() }),
    () => board.hall.call("PUT", "/api/projects/alpha", { description: words() }),
    edit((text) => text.replace(/^# .*$/m, `# ${words()}`)),
    edit((text) => text.replace(/^status: .*$/m, `status: ${status()}`)),
    edit((text) => text.replace(/^priority: .*$/m, "priority: huge")),
    edit((text) => text.replace(/^priority: huge$/m, "priority: low")),
    edit((text) => text.replace(/\ncreated: .*\n/, "\n")),
    () => {
      const path = file();
      const target = `${pick(["todo", "in-progress", "review", "done", "failed"])}/${path?.split("/")[1]}`;
      if (path !== undefined && !existsSync(board.at(`TASKS/${target}`)))
        renameSync(board.at(`TASKS/${path}`), board.at(`TASKS/${target}`));
    },
    () => {
      const name = `TASK-${100 + Math.floor(roll() * 20)}`;
      board.write(
        `TASKS/${pick(["todo", "done"])}/${name}.md`,
        handMade(name, { labels: "[by hand]" }, `# ${words()}\n`),
      );
    },
    () => roll() < 0.3 && file() !== undefined && unlinkSync(board.at(`TASKS/${file()}`)),
    () => board.write("TASKS/todo/notes.md", words()),
    () => board.write("knowledge/decisions.md", `# ${words()}\n${words()}\n`),
    () => board.write("plans/three/plan.md", `# ${words()}\n`),
  ];
}

describe("the index after anything that may happen", () => {
  it("has every task that was made while it was built anew [S0-DB-08]", async () => {
    const board = await startBoard();
    const rebuild = () => board.hall.call("POST", "/api/index/rebuild");
    const work = Array.from({ length: 60 }, (_, at) => (at % 10 === 5 ? rebuild() : board.add(`Task ${at}`)));
    await Promise.all(work);
    expect((await board.list("?limit=1000")).tasks).toHaveLength(54);
    await board.hall.stop();
    const dump = dumpIndex(board.hall.workspace);
    rmSync(join(board.hall.workspace, ".guildhall/index.db"));
    await (await startHall(board.hall.workspace)).stop();
    expect(dumpIndex(board.hall.workspace)).toEqual(dump);
  });

  /**
   * A task by hand that the daemon notices after everything that was done before: made, and then changed, because what lies
   * in a new folder is taken in with the changes that come next.
   */
  async function noticed(board: Board, id: string, title: string): Promise<Record<string, string[]>> {
    const path = `TASKS/todo/${id}.md`;
    const shows = (word: string) => (dump: Record<string, string[]>) =>
      (dump.tasks ?? []).some((row) => row.includes(id) && row.includes(word));
    board.write(path, handMade(id));
    await eventually(() => dumpIndex(board.hall.workspace), shows(id));
    board.write(path, handMade(id).replace(/^# .*$/m, `# ${title}`));
    return eventually(() => dumpIndex(board.hall.workspace), shows(title));
  }

  /** As it is when nothing is left to do: what the daemon noticed may have it do something, which it then notices. */
  async function settled(board: Board): Promise<Record<string, string[]>> {
    for (let round = 1, last = ""; ; round++) {
      const dump = await noticed(board, "TASK-901", `Noticed ${round}`);
      const rest = JSON.stringify(Object.values(dump).map((rows) => rows.filter((row) => !row.includes("TASK-901"))));
      if (rest === last) return dump;
      last = rest;
    }
  }

  it.each([1, 2, 3])("is the same as one built anew from the files, twice over (seed %i) [S0-DB-08]", async (seed) => {
    const board = await furnishedBoard();
    const all = deeds(board, dice(seed));
    const roll = dice(seed + 1_000);
    for (let turn = 0; turn < 200; turn++) await all[Math.floor(roll() * all.length)]?.();
    const first = await settled(board);
    expect(first.tasks?.length).toBeGreaterThan(10);
    expect(first.problems?.length).toBeGreaterThan(0);
    await board.hall.call("POST", "/api/index/rebuild");
    await noticed(board, "TASK-902", "Noticed");
    rmSync(board.at("TASKS/todo/TASK-902.md"));
    const rebuilt = await eventually(
      () => dumpIndex(board.hall.workspace),
      (dump) => !JSON.stringify(dump.tasks).includes("TASK-902"),
    );
    expect(rebuilt).toEqual(first);
    await board.hall.stop();
    rmSync(join(board.hall.workspace, ".guildhall/index.db"));
    const again = await startHall(board.hall.workspace);
    await again.stop();
    expect(dumpIndex(board.hall.workspace)).toEqual(first);
  });
});
