import { describe, expect, it } from "vitest";
import { Locks } from "./locks.ts";

/** Work that ends when told to, and notes when it starts and ends. */
function job(name: string, notes: string[]) {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const work = async () => {
    notes.push(`${name} starts`);
    const result = await promise;
    notes.push(`${name} ends`);
    return result;
  };
  return { work, finish: () => resolve(name), fail: () => reject(new Error(`${name} failed`)) };
}

type Jobs = [Job, Job, Job, Job];
type Job = ReturnType<typeof job>;

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("locks", () => {
  it("run work on one key one after the other, in the order asked for", async () => {
    const locks = new Locks();
    const notes: string[] = [];
    const jobs = ["first", "second", "third"].map((name) => job(name, notes));
    const results = jobs.map(({ work }) => locks.run("key", work));
    for (const { finish } of [...jobs].reverse()) finish();
    expect(await Promise.all(results)).toEqual(["first", "second", "third"]);
    const order = ["first", "second", "third"].flatMap((name) => [`${name} starts`, `${name} ends`]);
    expect(notes).toEqual(order);
  });

  it("do not make different keys wait for each other", async () => {
    const locks = new Locks();
    const notes: string[] = [];
    const [slow, quick] = [job("slow", notes), job("quick", notes)];
    const waiting = locks.run("one", slow.work);
    quick.finish();
    expect(await locks.run("other", quick.work)).toBe("quick");
    expect(notes).toEqual(["slow starts", "quick starts", "quick ends"]);
    slow.finish();
    await waiting;
  });

  it("go on after work that failed, and tell only its own caller", async () => {
    const locks = new Locks();
    const notes: string[] = [];
    const [bad, good] = [job("bad", notes), job("good", notes)];
    const failing = locks.run("key", bad.work);
    const following = locks.run("key", good.work);
    bad.fail();
    good.finish();
    await expect(failing).rejects.toThrow("bad failed");
    expect(await following).toBe("good");
  });

  it("let shared work go on side by side, but not beside work that has the key alone", async () => {
    const locks = new Locks();
    const notes: string[] = [];
    const [one, other, alone, late] = ["one", "other", "alone", "late"].map((name) => job(name, notes)) as Jobs;
    const results = [
      locks.share("key", one.work),
      locks.share("key", other.work),
      locks.run("key", alone.work),
      locks.share("key", late.work),
    ];
    for (const { finish } of [late, alone, other]) finish();
    await turn();
    expect(notes).toEqual(["one starts", "other starts", "other ends"]);
    one.finish();
    expect(await Promise.all(results)).toEqual(["one", "other", "alone", "late"]);
    expect(notes.slice(3)).toEqual(["one ends", "alone starts", "alone ends", "late starts", "late ends"]);
    await locks.idle();
  });

  it("go on after shared work that failed", async () => {
    const locks = new Locks();
    const bad = job("bad", []);
    const failing = locks.share("key", bad.work);
    const following = locks.run("key", async () => "good");
    bad.fail();
    await expect(failing).rejects.toThrow("bad failed");
    expect(await following).toBe("good");
  });

  it("take several keys without two callers waiting for each other for ever", async () => {
    const locks = new Locks();
    const notes: string[] = [];
    const [forth, back] = [job("forth", notes), job("back", notes)];
    const both = [locks.runAll(["a", "b", "a"], forth.work), locks.runAll(["b", "a"], back.work)];
    forth.finish();
    back.finish();
    expect(await Promise.all(both)).toEqual(["forth", "back"]);
    expect(notes).toEqual(["forth starts", "forth ends", "back starts", "back ends"]);
    expect(await locks.runAll([], async () => "no key")).toBe("no key");
  });

  it("are idle when no work is left, also work that was asked for while waiting", async () => {
    const locks = new Locks();
    const notes: string[] = [];
    const [first, second] = [job("first", notes), job("second", notes)];
    const results = [locks.run("key", first.work)];
    const idle = locks.idle().then(() => notes.push("idle"));
    results.push(locks.run("key", second.work));
    first.finish();
    await turn();
    expect(notes).not.toContain("idle");
    second.finish();
    await idle;
    expect(notes.at(-1)).toBe("idle");
    await Promise.all(results);
    await locks.idle();
  });
});
