import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkedRepository, checksOf } from "../../../test/harness/checked-repository.ts";
import { filesOver, temporaryFolder } from "../../../test/harness/temporary-folder.ts";
import { QualityGates } from "../../contract/documents/quality/quality-gates.ts";
import { CheckCache } from "./check-cache.ts";
import type { Checked } from "./local-checks.ts";

const PASSED: Checked = { verdict: "pass", kind: "none", evidence: [], errors: [], tests: [] };

describe("results that are known", () => {
  it("hold for the next process, until a program they came from is another one [S1-QG-23]", () => {
    const { files, root } = filesOver("cache");
    const tool = join(root, "tool");
    writeFileSync(tool, "one");
    new CheckCache(files, "cache").put(["tree", "command"], PASSED, [tool]);
    expect(new CheckCache(files, "cache").get(["tree", "command"])).toEqual(PASSED);
    expect(new CheckCache(files, "cache").get(["other", "command"])).toBeUndefined();
    writeFileSync(tool, "another one");
    expect(new CheckCache(files, "cache").get(["tree", "command"])).toBeUndefined();
  });

  it.each(["", "{", "null", "[]", '{"checked":1}'])("are not believed where their file says %j", (text) => {
    const { files, root } = filesOver("cache");
    new CheckCache(files, "cache").put(["a"], PASSED, []);
    const [name = ""] = readdirSync(join(root, "cache"));
    writeFileSync(join(root, "cache", name), text);
    expect(new CheckCache(files, "cache").get(["a"])).toBeUndefined();
  });

  it("are bounded: the oldest go", () => {
    const { files, root } = filesOver("cache");
    const cache = new CheckCache(files, "cache", 20);
    for (let at = 0; at <= 40; at++) cache.put([at], PASSED, []);
    expect(readdirSync(join(root, "cache")).length).toBeLessThanOrEqual(20);
    expect(new CheckCache(files, "cache").get([40])).toEqual(PASSED);
  });

  it("serve a check of the same trees without running it, and not one that could not be carried out [S1-QG-23]", {
    timeout: 60_000,
  }, async () => {
    const cache = temporaryFolder();
    const first = checkedRepository({ "a.txt": "a\n" }, { cache });
    const settings = QualityGates.parse({ commands: { tests: "true" } });
    const tree = await first.treeWith({ "a.txt": "b\n" });
    const order = await first.orderFor(tree, { settings });
    expect((await first.checks.tests(order)).evidence[0]).toMatchObject({ cached: false });
    const second = checksOf(first.person, { cache, packages: undefined, sandbox: undefined });
    expect((await second.checks.tests(order)).evidence[0]).toMatchObject({ cached: true, exitCode: 0 });
    expect((await first.checks.tests({ ...order, attempt: 2 })).evidence[0]).toMatchObject({ cached: false });
    const hanging = { ...order, settings: QualityGates.parse({ commands: { tests: "sleep 100" } }), timeoutMs: 300 };
    expect(await first.checks.tests(hanging)).toMatchObject({ verdict: "unable" });
    expect((await first.checks.tests(hanging)).evidence[0]).toMatchObject({ cached: false });
  });
});
