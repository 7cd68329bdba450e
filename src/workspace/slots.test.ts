import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Slots } from "./slots.ts";

/** Lets everything that is ready happen. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("slots", () => {
  it("lets in as many as there are, and the next when one is given back", async () => {
    const slots = new Slots(2);
    const [first] = await Promise.all([slots.take("a"), slots.take("a")]);
    let third = false;
    void slots.take("a").then(() => {
      third = true;
    });
    await settled();
    expect([slots.used, third]).toEqual([2, false]);
    first?.();
    await settled();
    expect([slots.used, third]).toEqual([2, true]);
  });

  it("gives a slot back once, however often it is told to", async () => {
    const slots = new Slots(1);
    const release = await slots.take("a");
    release();
    release();
    expect(slots.used).toBe(0);
    await slots.take("a");
    release();
    expect(slots.used).toBe(1);
  });

  it.each([1, 2, 3])("of %i serves an owner that just came before the long queue of another", async (size) => {
    const slots = new Slots(size);
    const held: (() => void)[] = [];
    const served: string[] = [];
    const take = (owner: string) =>
      void slots.take(owner).then((release) => {
        served.push(owner);
        held.push(release);
      });
    for (let n = 0; n < 10; n++) take("busy");
    await settled();
    take("late");
    held.shift()?.();
    await settled();
    expect(served.at(-1)).toBe("late");
  });

  it("takes turns between owners who all wait, and keeps each one's order", async () => {
    const slots = new Slots(1);
    const served: string[] = [];
    const release = await slots.take("other");
    for (const name of ["a1", "a2", "a3", "b1", "b2", "c1"])
      void slots.take(name.charAt(0)).then((giveBack) => {
        served.push(name);
        giveBack();
      });
    release();
    await settled();
    expect(served).toEqual(["a1", "b1", "c1", "a2", "b2", "a3"]);
  });

  it("forgets whoever gives up, without a trace on the signal", async () => {
    const slots = new Slots(1);
    const release = await slots.take("a");
    const giving = new AbortController();
    const waiting = slots.take("b", giving.signal);
    giving.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
    expect(slots.waiting).toBe(0);
    const late = new AbortController();
    const served = slots.take("c", late.signal);
    release();
    const giveBack = await served;
    late.abort();
    giveBack();
    expect(slots.used).toBe(0);
    await expect(slots.take("d", AbortSignal.abort(new Error("too late")))).rejects.toThrow("too late");
  });

  it("never lets in too many and loses none, whatever happens in whichever order", async () => {
    const step = fc.record({
      owner: fc.constantFrom("a", "b", "c"),
      action: fc.constantFrom("take", "release", "abort"),
    });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 4 }), fc.array(step, { maxLength: 60 }), async (size, steps) => {
        const slots = new Slots(size);
        const held: (() => void)[] = [];
        const cancels: AbortController[] = [];
        for (const { owner, action } of steps) {
          if (action === "take") {
            const cancel = new AbortController();
            cancels.push(cancel);
            slots.take(owner, cancel.signal).then(
              (release) => held.push(release),
              () => undefined,
            );
          } else if (action === "release") held.shift()?.();
          else cancels.shift()?.abort();
          await Promise.resolve();
          expect(slots.used).toBeLessThanOrEqual(size);
        }
        for (const cancel of cancels) cancel.abort();
        await settled();
        for (const release of held) release();
        expect([slots.used, slots.waiting]).toEqual([0, 0]);
      }),
    );
  });
});
