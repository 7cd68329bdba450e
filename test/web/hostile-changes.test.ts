import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import { sharedBrowser, visit } from "../harness/browser.ts";
import { hallOver, repository } from "../harness/repository.ts";
import { sharedHall } from "../harness/shared-hall.ts";
import { spawnRun, untilOver } from "../harness/spawned-runs.ts";

const browser = sharedBrowser();
const hall = sharedHall();

/** A line of the file that looks like the head of the file itself to whoever takes a carriage return for the end of a line. */
const FORGED = "steal();\rdiff --git a/evil.js b/evil.js\nevil();\n";
const HOSTILE = JSON.stringify({
  turns: [
    {
      calls: [
        { tool: "write", input: { path: "evil.js", content: FORGED } },
        { tool: "write", input: { path: "names.js", content: "if (isAd\u200bmin || \u3164) open();\n" } },
        { tool: "write", input: { path: "logo.bin", content: "GIF" } },
      ],
    },
    {
      calls: [
        { tool: "report", input: { summary: "See [https://good.example](https://evil.example/x).", outcome: "full" } },
      ],
    },
    { text: "Done." },
  ],
});

test("what is approved is what is seen: no line hides another, no sign is unseen, and what is not shown is named", async () => {
  const work = repository({ "README.md": "# Shop\n" });
  mkdirSync(join(work.root, ".git/info"), { recursive: true });
  writeFileSync(join(work.root, ".git/info/attributes"), "*.bin binary\n");
  const config = { constraints: { requireReview: true } };
  await hallOver(hall(), { root: work.root, config, playbooks: { hostile: HOSTILE } });
  const run = await spawnRun(hall(), "hostile", "Harmless");
  await untilOver(hall(), run);
  const page = await visit(browser(), hall(), `/runs/${run}?view=changes`);
  await page.getByText("steal();␍diff --git a/evil.js b/evil.js").waitFor();
  await page.getByText("added: evil();").waitFor();
  await page.getByText("if (isAd\\u200bmin || \\u3164) open();").waitFor();
  await page.getByText("(evil.example)").waitFor();
  await page.getByRole("button", { name: "Approve", exact: true }).click();
  await page
    .getByRole("dialog")
    .getByText("1 file couldn't be shown in full. Check elsewhere first (logo.bin)")
    .waitFor();
});
