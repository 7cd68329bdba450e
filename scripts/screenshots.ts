import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { Browser } from "playwright-core";
import { type Look, launchBrowser } from "../test/harness/chromium-browser.ts";
import { ARCHIVE, type BusyHall, makeBusyHall } from "./busy/busy-hall.ts";
import { camera, DESK, PHONE, type Shot, type Subject } from "./pictures/camera.ts";
import { makeEmptyHall } from "./pictures/halls.ts";
import { chooseRuns, emptyPages, everyPage } from "./pictures/shots.ts";
import { root } from "./source-files.ts";

/**
 * Pictures of the real pages. `npm run screenshots` makes those of the docs; with `-- --out DIR --all` every page at two widths
 * in two themes, of an empty hall, a busy one and one with 10,000 tasks, to look through.
 */
const { values } = parseArgs({
  options: {
    out: { type: "string", default: "docs/images" },
    all: { type: "boolean", default: false },
    tasks: { type: "string", default: "10000" },
  },
});
const out = resolve(root, values.out);
const PROJECT = "web-shop";
const DARK = { theme: "dark" } as const;

execFileSync(process.execPath, ["scripts/build-web.ts", "--if-stale"], { cwd: root, stdio: "inherit" });
const browser = await launchBrowser();
try {
  await (values.all ? photographAll(browser) : photographForDocs(browser));
} finally {
  await browser.close();
}
process.exit();

async function photographForDocs(browser: Browser): Promise<void> {
  const make = (folder: string) => makeBusyHall({ folder, days: 13 });
  await inHall(make, async (hall) => {
    const pages = everyPage(await chooseRuns(hall.client, PROJECT));
    const shown = (...names: string[]) => Object.fromEntries(names.map((name) => [name, pages[name] as Shot]));
    const atDesk = shown(
      "now",
      "inbox-entry",
      "project-board",
      "task",
      "run-transcript",
      "run-changes",
      "costs",
      "chat",
    );
    await take(browser, hall, { look: DESK, shots: atDesk, name: (shot) => shot });
    await take(browser, hall, { look: { ...DESK, ...DARK }, shots: shown("now"), name: (shot) => `${shot}-dark` });
    await take(browser, hall, { look: PHONE, shots: shown("now", "project-board"), name: (shot) => `${shot}-phone` });
  });
}

async function photographAll(browser: Browser): Promise<void> {
  await inHall(makeEmptyHall, (hall) => inAllLooks(browser, hall, { folder: "empty", shots: emptyPages() }));
  await inHall(
    (folder) => makeBusyHall({ folder, days: 13 }),
    async (hall) =>
      inAllLooks(browser, hall, { folder: "busy", shots: everyPage(await chooseRuns(hall.client, PROJECT)) }),
  );
  await inHall(
    (folder) => makeBusyHall({ folder, days: 13, tasks: Number(values.tasks) }),
    async (hall) => {
      const shots = everyPage(await chooseRuns(hall.client, ARCHIVE));
      await inAllLooks(browser, hall, { folder: "many", shots });
    },
  );
}

async function inAllLooks(
  browser: Browser,
  hall: Subject,
  { folder, shots }: { folder: string; shots: Record<string, Shot> },
): Promise<void> {
  for (const size of [DESK, PHONE])
    for (const theme of ["light", "dark"] as const) {
      const name = (shot: string) => join(folder, `${size.width}-${theme}`, shot);
      await take(browser, hall, { look: { ...size, theme }, shots, name, isWhole: true });
    }
}

interface Album {
  look: Look;
  shots: Record<string, Shot>;
  name: (shot: string) => string;
  isWhole?: boolean;
}

async function take(browser: Browser, hall: Subject, { look, shots, name, isWhole = false }: Album): Promise<void> {
  const taken = await camera(browser, hall, look);
  for (const [shot, what] of Object.entries(shots)) {
    const file = join(out, `${name(shot)}.png`);
    const tooWide = await taken.shoot(what, file, isWhole);
    console.log(`${file}${tooWide === undefined ? "" : `: ${tooWide}`}`);
  }
  await taken.close();
}

async function inHall(make: (folder: string) => Promise<BusyHall>, use: (hall: BusyHall) => Promise<void>) {
  const folder = mkdtempSync(join(tmpdir(), "guildhall-pictures-"));
  try {
    const hall = await make(folder);
    await use(hall).finally(() => hall.stop());
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
