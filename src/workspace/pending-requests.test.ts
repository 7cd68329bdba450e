import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../test/harness/temporary-folder.ts";
import type { EventDraft } from "../contract/event.ts";
import { Files } from "../store/files.ts";
import { PendingRequests } from "./pending-requests.ts";
import { etagOf } from "./task-file.ts";

const TEXT = "Made.\n";
const draft: EventDraft = {
  type: "document.written",
  actor: { kind: "person", via: "http" },
  subject: { kind: "document", id: "a.md" },
  file: "a.md",
  etag: etagOf(TEXT),
  request: { key: "k-1", fingerprint: "f" },
};

/** What a process that was killed in the middle of the request left, as the next one finds it. */
async function killed(leaving: (root: string) => void) {
  const root = temporaryFolder();
  const files = () => new Files(root, "private", "refused");
  const { promise: begun, resolve } = Promise.withResolvers<void>();
  void new PendingRequests(files()).around(draft, () => {
    resolve();
    return new Promise(() => undefined);
  });
  await begun;
  leaving(root);
  return async (isKnown = false) => {
    const told: EventDraft[] = [];
    await new PendingRequests(files()).recover(
      () => isKnown,
      async (event) => told.push(event),
    );
    return told;
  };
}

it("a file that a killed request left is told of as that request's, once", async () => {
  const recover = await killed((root) => writeFileSync(join(root, "a.md"), TEXT));
  expect(await recover()).toEqual([draft]);
  expect(await recover()).toEqual([]);
});

it("a request of which the log tells already is not told of again", async () => {
  const recover = await killed((root) => writeFileSync(join(root, "a.md"), TEXT));
  expect(await recover(true)).toEqual([]);
});

it("a file with other content, or none, is not what the request made", async () => {
  const other = await killed((root) => writeFileSync(join(root, "a.md"), "By hand.\n"));
  expect(await other()).toEqual([]);
  const none = await killed(() => undefined);
  expect(await none()).toEqual([]);
});
