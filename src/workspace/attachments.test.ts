import { expect, it } from "vitest";
import { Attachment, Attachments } from "./attachments.ts";

it("names what is missing when it is closed, and closes when nothing is", () => {
  const all = new Attachments();
  const first = new Attachment<string>(all, "first");
  const second = new Attachment<string>(all, "second", "as ever");
  expect(() => all.close()).toThrow("'first', 'second'");
  first.attach("one");
  expect(() => all.close()).toThrow(/^Nothing is attached to 'second'\.$/);
  second.attach("two");
  all.close();
  expect([first.part, second.part]).toEqual(["one", "two"]);
});

it("refuses to be attached twice, late, or asked too early", () => {
  const all = new Attachments();
  const one = new Attachment<string>(all, "one");
  const usual = new Attachment<string>(all, "usual", "as ever");
  expect(() => one.part).toThrow("'one' is asked before");
  expect(usual.part).toBe("as ever");
  one.attach("part");
  expect(() => one.part).toThrow("'one' is asked before the start");
  expect(() => one.attach("other")).toThrow("'one' is attached twice");
  usual.attach("other");
  all.close();
  expect(() => usual.attach("late")).toThrow("attached twice");
  expect(() => new Attachment(all, "late")).toThrow("'late' is offered after the start");
});
