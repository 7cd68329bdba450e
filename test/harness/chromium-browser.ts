import { tmpdir } from "node:os";
import { type Browser, type BrowserContext, chromium } from "playwright-core";
import { unpackedChromium } from "./chromium.ts";

export async function launchBrowser(): Promise<Browser> {
  const { executablePath, env } = await unpackedChromium();
  // Without its own sandbox, which a container does not allow; everything that keeps sites apart stays on.
  return chromium.launch({
    executablePath,
    // It keeps what its processes share in files, for which a container may have no other memory.
    env: { ...env, TMPDIR: tmpdir() },
    args: ["--no-sandbox", "--no-zygote", "--disable-gpu", "--in-process-gpu", "--disable-dev-shm-usage"],
  });
}

export interface Look {
  theme?: "light" | "dark";
  width?: number;
  height?: number;
  /** Whether the dashboard loads the code of every page when it has nothing else to do. */
  loadsAhead?: boolean;
}

/** Without loading ahead unless asked: it takes more processor time than showing the page, and most pages are never opened. */
export async function newContext(
  browser: Browser,
  { theme = "light", width = 1440, height = 900, loadsAhead = false }: Look = {},
): Promise<BrowserContext> {
  const viewport = { width, height };
  const context = await browser.newContext({ viewport, colorScheme: theme, reducedMotion: "reduce" });
  // A limit that only a test reaches that hangs, however busy the machine is.
  context.setDefaultTimeout(80_000);
  if (!loadsAhead) await context.addInitScript("window.requestIdleCallback = () => 0");
  return context;
}
