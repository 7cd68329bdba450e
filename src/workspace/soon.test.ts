import { expect, it, vi } from "vitest";
import { soon } from "./soon.ts";

const nextTurn = () => new Promise((resolve) => setTimeout(resolve));

it("waits until readers get answers, and reports what fails", async () => {
  const filled = Promise.withResolvers<void>();
  const [work, onFailure] = [vi.fn(), vi.fn()];
  soon({ available: () => filled.promise }, work, onFailure);
  await nextTurn();
  expect(work).not.toHaveBeenCalled();
  filled.resolve();
  await nextTurn();
  expect(work).toHaveBeenCalledOnce();

  const thrown = new Error("no");
  soon({ available: () => Promise.reject(thrown) }, work, onFailure);
  soon(
    { available: () => Promise.resolve() },
    () => {
      throw thrown;
    },
    onFailure,
  );
  await nextTurn();
  expect(onFailure.mock.calls).toEqual([[thrown], [thrown]]);
  expect(work).toHaveBeenCalledOnce();
});
