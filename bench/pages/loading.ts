import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import type { Browser, BrowserContext, Response } from "playwright-core";
import type { BusyProcess } from "../kit/busy-process.ts";
import { median, ms, times } from "../kit/figures.ts";
import { noteInteractive, timeUntilNoted } from "../kit/page-probes.ts";
import { atMost, type Line } from "../kit/report.ts";
import { signedIn, withoutCache } from "../kit/tabs.ts";

const GOAL = { kb: 200, ms: 1_000 };
const KINDS = [
  { name: "scripts", end: ".js" },
  { name: "style", end: ".css" },
  { name: "fonts", end: ".woff2" },
];

/** What the Now page loads, and how long it takes until it can be used, against a page with one link in it. */
export async function loading(browser: Browser, hall: BusyProcess, quick: boolean): Promise<Line[]> {
  const known = await signedIn(browser, hall.client);
  const rounds = quick ? 3 : 11;
  const bare = await bareServer();
  try {
    const lines = await bytes(browser, known, hall.url);
    const warm = await withoutCache(browser, known);
    await opened(warm, hall.url);
    const samples = { bare: [] as number[], cold: [] as number[], warm: [] as number[] };
    for (let round = 0; round < rounds; round++) {
      samples.bare.push(await inNew(browser, known, bare.url));
      samples.cold.push(await inNew(browser, known, hall.url));
      samples.warm.push(await opened(warm, hall.url));
    }
    await Promise.all([warm.close(), known.close()]);
    const floor = median(samples.bare);
    const line = (name: string, value: number): Line => ({
      cells: [`Now until it answers a key, ${name}`, ms(value), ms(floor), times(value / floor)],
      goal: atMost(GOAL.ms, value, "ms"),
    });
    return [...lines, line("nothing in the cache", median(samples.cold)), line("again", median(samples.warm))];
  } finally {
    bare.close();
  }
}

async function bytes(browser: Browser, known: BrowserContext, url: string): Promise<Line[]> {
  const context = await withoutCache(browser, known);
  const page = await context.newPage();
  const loaded: { url: string; size: Promise<number> }[] = [];
  const heard = (response: Response) => {
    const url = response.url();
    if (url.includes("/assets/")) loaded.push({ url, size: response.body().then((body) => zipped(url, body)) });
  };
  page.on("response", heard);
  await page.goto(url);
  await page.locator("[data-row]").first().waitFor();
  page.off("response", heard);
  const sum = async (end: string) => {
    const sizes = await Promise.all(loaded.filter((each) => each.url.endsWith(end)).map(({ size }) => size));
    return { amount: sizes.length, kb: sizes.reduce((total, size) => total + size, 0) / 1_000 };
  };
  const lines: Line[] = [];
  for (const { name, end } of KINDS) {
    const { amount, kb } = await sum(end);
    const goal = end === ".js" ? atMost(GOAL.kb, kb, "kB") : undefined;
    lines.push({
      cells: [`Now, first load: ${name}, compressed, ${amount} files`, `${kb.toFixed(1)} kB`, "", ""],
      goal,
    });
  }
  await context.close();
  return lines;
}

/** Fonts are compressed as they are. */
function zipped(url: string, body: Buffer): number {
  return url.endsWith(".woff2") ? body.length : gzipSync(body, { level: 9 }).length;
}

async function inNew(browser: Browser, known: BrowserContext, url: string): Promise<number> {
  const context = await withoutCache(browser, known);
  try {
    return await opened(context, url);
  } finally {
    await context.close();
  }
}

async function opened(context: BrowserContext, url: string): Promise<number> {
  const page = await context.newPage();
  await page.addInitScript(noteInteractive);
  const found = await timeUntilNoted(page, url);
  await page.close();
  return found;
}

/** The floor: one link, and a listener of one line. */
async function bareServer(): Promise<{ url: string; close(): void }> {
  const script = 'addEventListener("keydown",()=>document.querySelector("a").focus())';
  const html = `<!doctype html><title>Bare</title><body><a data-row href="/">one</a><script>${script}</script></body>`;
  const server = createServer((_, response) => response.setHeader("content-type", "text/html").end(html));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => server.close(),
  };
}
