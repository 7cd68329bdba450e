import { existsSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../../test/harness/temporary-folder.ts";
import { Files } from "../../store/files/files.ts";
import { talkFiles } from "./open-review.ts";

it("conversations of reviewers are removed after a month, when the next one begins", async () => {
  const root = temporaryFolder();
  const folder = join(root, "projects/shop/gates/answers");
  mkdirSync(folder, { recursive: true });
  const now = new Date();
  const place = (name: string, days: number) => {
    const path = join(folder, name);
    writeFileSync(path, "{}");
    const at = new Date(now.getTime() - days * 86_400_000);
    utimesSync(path, at, at);
    return path;
  };
  const [old, recent] = [place("old.json", 31), place("recent.json", 29)];
  const store = talkFiles({ files: new Files(root), clock: () => now });
  await store.write("shop", "new", { messages: [], costUsd: 0 });
  expect([existsSync(old), existsSync(recent), existsSync(join(folder, "new.json"))]).toEqual([false, true, true]);
});
