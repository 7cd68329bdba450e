import { expect, test } from "vitest";
import { Failure } from "./failure.ts";
import { Repeats } from "./repeats.ts";

const away = new Failure({ code: "away", message: "", status: 0 });
const refused = new Failure({ code: "invalid", message: "", status: 422 });

test("A request keeps its key until its answer is known", () => {
  const repeats = new Repeats();
  const key = repeats.keyFor({ body: 1 });
  expect(key).toMatch(/^[\w-]{8,}$/);
  expect(repeats.keyFor({ body: 1 })).toBe(key);
  repeats.settled(away);
  expect(repeats.keyFor({ body: 1 })).toBe(key);
  repeats.settled(refused);
  const second = repeats.keyFor({ body: 1 });
  expect(second).not.toBe(key);
  repeats.settled(null);
  expect(repeats.keyFor({ body: 1 })).not.toBe(second);
});

test("What was changed in between is another request", () => {
  const repeats = new Repeats();
  expect(repeats.keyFor({ body: 1 })).not.toBe(repeats.keyFor({ body: 2 }));
});
