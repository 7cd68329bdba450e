import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { sharedBrowser, signIn, visit } from "../harness/browser.ts";
import { newContext } from "../harness/chromium-browser.ts";
import { startHall } from "../harness/daemon.ts";
import { type ScriptedProvider, startProvider } from "../harness/scripted-provider.ts";

const KEY = "test-KEY-0123456789abcdef";
const browser = sharedBrowser();
let provider: ScriptedProvider;
beforeAll(async () => {
  provider = await startProvider(() => ({ text: "Hello." }), { models: ["small-1", "large-2"], key: () => KEY });
});
afterAll(() => provider.close());

const hallWithoutKeys = (config?: object) =>
  startHall(undefined, {
    ...(config === undefined ? {} : { config }),
    env: { OLLAMA_HOST: "127.0.0.1:9", ANTHROPIC_BASE_URL: provider.url },
  });

test("a key is pasted on the welcome page, tested and used at once, and removed in the settings", async () => {
  const hall = await hallWithoutKeys({
    providers: {
      anthropic: { kind: "anthropic", baseUrl: provider.url },
      lab: { kind: "openai-compatible", baseUrl: provider.url },
    },
  });
  const page = await visit(browser(), hall, "/settings?section=models&provider=anthropic");
  await page.getByLabel("API key").fill(`export ANTHROPIC_API_KEY="${KEY}"\n`);
  await page.getByRole("button", { name: "Save key" }).click();
  await page.getByText(/answered in \d+ ms\. 2 models available/).waitFor();
  expect((await hall.call("GET", "/api/models")).body.default).toMatch(/^anthropic\//);
  expect(await page.content()).not.toContain(KEY);
  const row = page.getByRole("listitem").filter({ hasText: "anthropic" });
  await row.getByText("Key stored").waitFor();
  await row.getByRole("button", { name: "Test" }).click();
  await row.getByText(/answered in/).waitFor();
  await row.getByRole("button", { name: "Remove" }).click();
  await page.getByText("Removed the anthropic key.").waitFor();
  expect(readFileSync(join(hall.workspace, ".guildhall/secrets"), "utf8")).not.toContain(KEY);
});

test("the welcome page takes a key in one paste and one click, says why one is refused, and leads to the first answer", async () => {
  const hall = await hallWithoutKeys();
  const context = await newContext(browser());
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await signIn(page, hall);
  await page.getByLabel("API key").fill("test-WRONG-0123456789");
  await page.getByLabel("Provider").selectOption("compatible");
  await page.getByLabel("Base URL").fill(provider.url);
  await page.getByLabel("Name").fill("lab");
  await page.getByRole("button", { name: "Save key" }).click();
  await page.getByText("rejected the key").waitFor();
  await page.getByLabel("API key").fill(` ${KEY} `);
  await page.getByRole("button", { name: "Save key" }).click();
  await page.getByText("lab/small-1 answered in").waitFor();
  await page.getByRole("button", { name: "Ask the main agent" }).click();
  await page.getByPlaceholder("Message the main agent").fill("Are you there?");
  await page.keyboard.press("Enter");
  await page.getByText("Hello.").first().waitFor();
  expect((await hall.call("GET", "/api/models")).body.default).toBe("lab/small-1");
});

test("a setting is changed in place, checked, and what needs a restart says so", async () => {
  const hall = await hallWithoutKeys();
  const page = await visit(browser(), hall, "/settings");
  await page.getByPlaceholder("Search settings").fill("limits.runs");
  await page.getByRole("button", { name: "Edit limits.runs", exact: true }).click();
  await page.getByLabel("limits.runs", { exact: true }).fill("0");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Enter at least 1.").waitFor();
  await page.getByLabel("limits.runs", { exact: true }).fill("4");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Restart needed.").waitFor();
  await page.getByRole("button", { name: "Restart now" }).waitFor();
  expect(readFileSync(join(hall.workspace, "config.yml"), "utf8")).toMatch(/limits:\n {2}runs: 4\n/);
});

test("settings that need each other are saved together, and a provider's own settings in its row", async () => {
  const hall = await hallWithoutKeys({ providers: { lab: { kind: "openai-compatible", baseUrl: provider.url } } });
  const page = await visit(browser(), hall, "/settings");
  const file = () => readFileSync(join(hall.workspace, "config.yml"), "utf8");
  await page.getByPlaceholder("Search settings").fill("tls.cert");
  await page.getByRole("button", { name: "Edit server.tls", exact: true }).click();
  await page.getByLabel("cert", { exact: true }).fill("/a/cert.pem");
  await page.getByLabel("key", { exact: true }).fill("/a/key.pem");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Saved server.tls. Restart to apply it.").waitFor();
  expect(file()).toContain("cert: /a/cert.pem");
  expect(file()).toContain("key: /a/key.pem");
  const row = page.getByRole("listitem").filter({ hasText: "lab" });
  await row.getByRole("button", { name: "Advanced" }).click();
  await row.getByLabel("concurrency").fill("2");
  await row.getByLabel("silenceSeconds").fill("600");
  await row.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved providers.lab.", { exact: true }).waitFor();
  expect(file()).toMatch(/concurrency: 2[\s\S]*silenceSeconds: 600/);
});
