import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import type { Page } from "playwright-core";
import { demoLine } from "../src/cli/demo/demo-line.ts";
import type { DemoStep } from "../src/cli/demo/demo-step.ts";
import { plain } from "../src/cli/text/paint.ts";
import { launchBrowser, newContext } from "../test/harness/chromium-browser.ts";
import { animatedPng, type Frame } from "./pictures/animated-png.ts";
import { root } from "./source-files.ts";

/**
 * `npm run animation` plays the real demo and photographs its pages: Now while agents work, with the demo's latest line below
 * it, then what the team delivered and the diff that waits for review. `-- --frames DIR` also keeps the single frames, to look at.
 */
const { values } = parseArgs({
  options: { out: { type: "string", default: "docs/images/demo.png" }, frames: { type: "string" } },
});
const LOOK = { width: 1080, height: 640 };
const FRAME_MS = 1_400;
const LAST_MS = 4_000;
const BETWEEN_MS = 2_600;
const SETTLE_MS = 1_500;
const MOST_FRAMES = 18;
const MOST_BYTES = 2_000_000;

execFileSync(process.execPath, ["scripts/build-web.ts", "--if-stale"], { cwd: root, stdio: "inherit" });
const folder = mkdtempSync(join(tmpdir(), "guildhall-animation-"));
const demo = spawn(join(root, "bin/guildhall"), ["demo", "--json", "--pace", "2", "--no-open"], {
  env: { ...process.env, TMPDIR: folder },
  stdio: ["ignore", "pipe", "inherit"],
});
const ended = once(demo, "exit");
const browser = await launchBrowser();
try {
  const page = await (await newContext(browser, LOOK)).newPage();
  const frames = thinned(await film(demo, page));
  if (values.frames !== undefined) keepFrames(frames, resolve(values.frames));
  const png = animatedPng(frames);
  writeFileSync(resolve(root, values.out), png);
  console.log(`Made ${values.out}: ${frames.length} frames, ${Math.round(png.length / 1_000)} kB.`);
  if (png.length > MOST_BYTES) throw new Error(`It is larger than ${MOST_BYTES} bytes.`);
} finally {
  await browser.close();
  demo.kill("SIGTERM");
  await ended;
  rmSync(folder, { recursive: true, force: true });
}
process.exit();

/** A picture every few seconds from the first line to the summary, then the result that waits for review. */
async function film(child: ChildProcess, page: Page): Promise<Frame[]> {
  const frames: Frame[] = [];
  let caption = "$ guildhall demo";
  let origin = "";
  let project = "";
  let filming: Promise<void> = Promise.resolve();
  let isFilming = false;
  let isOver = false;
  const run = async () => {
    for (let wait = SETTLE_MS; !isOver; wait = BETWEEN_MS) {
      await page.waitForTimeout(wait);
      if (!isOver) frames.push({ png: await picture(page, caption), ms: FRAME_MS });
    }
  };
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
    const step = JSON.parse(line) as DemoStep;
    if (step.step === "hall") {
      origin = new URL(step.link).origin;
      await page.goto(step.link);
      await page.getByRole("heading", { name: "Now" }).waitFor();
    } else if (step.step === "summary") {
      isOver = true;
      await filming;
      frames.push({
        png: await picture(page, `✓ ${step.runs} runs, $${step.costUsd}. One diff waits for you.`),
        ms: LAST_MS,
      });
      await open(page, `${origin}/teams/${step.team.id}`);
      frames.push({ png: await picture(page, "What the team delivered."), ms: LAST_MS / 2 });
      await open(page, `${origin}/projects/${project}/board`);
      frames.push({ png: await picture(page, "The board of the project."), ms: LAST_MS / 2 });
      await open(page, `${origin}/runs/${step.review.runId}?view=changes`);
      frames.push({ png: await picture(page, ""), ms: LAST_MS });
      return frames;
    } else {
      if (step.step === "project") project = step.projectId;
      caption = demoLine(step, { paint: plain, width: undefined });
      if (step.step !== "started" || isFilming) continue;
      isFilming = true;
      filming = run();
    }
  }
  throw new Error("The demo ended before its summary.");
}

async function open(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.getByRole("main").locator("h1").first().waitFor();
  await page.waitForTimeout(SETTLE_MS);
}

/** The page with a line over its lower edge, as a terminal beside the browser shows it; an empty one leaves the page alone. */
async function picture(page: Page, caption: string): Promise<Buffer> {
  const css =
    "position:fixed;inset:auto 0 0 0;z-index:9999;background:#16181d;color:#e4e4e0;font:15px/40px monospace;padding:0 20px;white-space:pre;overflow:hidden";
  await page.evaluate(`(() => {
    const bar = document.getElementById("demo-caption") ?? document.body.appendChild(document.createElement("div"));
    bar.id = "demo-caption";
    bar.style.cssText = ${JSON.stringify(css)};
    bar.textContent = ${JSON.stringify(caption)};
    bar.hidden = bar.textContent === "";
  })()`);
  return page.screenshot({ animations: "disabled", caret: "hide" });
}

/** Without pictures that repeat the one before; of too many, the first, the last four and some between them at even distances. */
function thinned(frames: readonly Frame[]): Frame[] {
  const changed = frames.filter(({ png }, place) => !frames[place - 1]?.png.equals(png));
  const [middle, last] = [changed.slice(0, -4), changed.slice(-4)];
  const most = Math.min(MOST_FRAMES - last.length, middle.length);
  const at = (place: number) => Math.round((place * (middle.length - 1)) / Math.max(1, most - 1));
  return [
    ...Array.from({ length: most }, (_, place) => middle[at(place)]).filter((frame) => frame !== undefined),
    ...last,
  ];
}

function keepFrames(frames: readonly Frame[], folder: string): void {
  mkdirSync(folder, { recursive: true });
  frames.forEach(
    ({ png }, place) => void writeFileSync(join(folder, `${String(place + 1).padStart(2, "0")}.png`), png),
  );
}
