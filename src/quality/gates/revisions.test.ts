import { expect, it } from "vitest";
import { checkedRepository } from "../../../test/harness/checked-repository.ts";
import { spanBetween } from "./revisions.ts";

it("is from where a branch left its base, and refuses what is no commit", { timeout: 60_000 }, async () => {
  const { person, trees } = checkedRepository({ "a.txt": "a\n" });
  const hash = (name: string) => person.git("rev-parse", name).trim();
  person.git("checkout", "--quiet", "-b", "change");
  person.write("a.txt", "b\n");
  person.git("commit", "--quiet", "--all", "-m", "Change");
  const fork = hash("main");
  person.git("checkout", "--quiet", "main");
  person.git("commit", "--quiet", "--allow-empty", "-m", "Later");
  expect(await spanBetween(trees, { base: "main", head: "change" })).toEqual({
    ...{ base: fork, baseTree: hash(`${fork}^{tree}`), head: hash("change"), tree: hash("change^{tree}") },
  });
  const clean = { base: hash("main"), baseTree: hash("main^{tree}"), head: hash("main"), tree: hash("main^{tree}") };
  expect(await spanBetween(trees, {})).toEqual(clean);
  person.write("a.txt", "c\n");
  const { head, tree } = await spanBetween(trees, {});
  expect([head, tree === clean.tree]).toEqual([undefined, false]);
  for (const name of ["nowhere", "--all", "-x", "main:a.txt"]) {
    await expect(spanBetween(trees, { base: name })).rejects.toMatchObject({ code: "invalid" });
    await expect(spanBetween(trees, { head: name })).rejects.toMatchObject({ code: "invalid" });
  }
});
