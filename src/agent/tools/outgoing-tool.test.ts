import { expect, it } from "vitest";
import { countConnections, serve, startPages } from "../../../test/harness/page-server.ts";
import { Redactor } from "../../store/secrets/redaction.ts";
import type { Tool } from "../tool.ts";
import { outgoingTools } from "./outgoing-tool.ts";
import { webFetchTool } from "./web-tools.ts";

const SECRET = "Tr0ub4dor&3-horse/battery";
const use = { callId: "call-1", signal: new AbortController().signal };

async function fetching(now = () => 0) {
  const { host, requests } = await startPages({ "/": serve("text/plain", "here") });
  const rules = { userAgent: "Guildhall/test", ports: [80], allow: [host] };
  const limits = { atOnce: 4, aMinute: 1_000 };
  const tool = webFetchTool({ rules, nextMark: () => "mark", limits });
  const [guarded] = outgoingTools([tool], new Redactor([{ name: "DB_PASSWORD", value: SECRET }]), now) as [Tool];
  const call = (url: string) => guarded.run(JSON.stringify({ url }), use);
  return { call, host, requests };
}

const hex = Buffer.from(SECRET).toString("hex");
const base64 = Buffer.from(SECRET).toString("base64");

it.each([
  ["as it is", `?q=${SECRET}`],
  ["escaped", `?q=${encodeURIComponent(SECRET)}`],
  ["escaped twice", `?q=${encodeURIComponent(encodeURIComponent(SECRET))}`],
  ["escaped letter by letter", `?q=%${hex.match(/../g)?.join("%")}`],
  ["in base64", `?q=${base64}`],
  ["in base64, as in addresses", `?q=${Buffer.from(SECRET).toString("base64url")}`],
  ["in base64 with more around it", `?q=${Buffer.from(`user:${SECRET}:end`).toString("base64url")}`],
  ["in hexadecimal", `${hex.toUpperCase()}/x.png`],
  ["from the end", `?q=${[...SECRET].reverse().join("")}`],
  ["among other words", `page?a=1&note=the+password+is+${encodeURIComponent(SECRET)}&b=2`],
  ["as a fragment", `#${SECRET}`],
  ["hidden from the model", "?q=[secret: DB_PASSWORD]"],
  ["hidden without a name", "?q=[secret]"],
])("an address that carries a known secret, %s, is refused before anything is connected to", async (_how, rest) => {
  const { call, host } = await fetching();
  const connections = countConnections();
  const { output, failed } = await call(`http://${host}/${rest}`);
  expect([failed, connections()]).toEqual([true, 0]);
  expect(output).toMatch(
    /^Nothing was sent: the call contains a secret or its placeholder \(\[secret(?:: DB_PASSWORD)?\]\)/,
  );
  expect(output).not.toContain(SECRET);
});

it("other addresses are fetched, and a search is guarded alike", async () => {
  const { call, host, requests } = await fetching();
  for (const rest of ["", "?q=horse/battery", `?sig=${"a1b2".repeat(40)}`, "?token=abcdefgh12345678"])
    expect((await call(`http://${host}/${rest}`)).failed).toBeUndefined();
  expect(requests.filter(({ path }) => path !== "/robots.txt")).toHaveLength(4);
  const searched: string[] = [];
  const search: Tool = {
    spec: { name: "web_search", description: "", inputSchema: {} },
    changes: false,
    run: async (input) => ({ output: String(searched.push(input)) }),
  };
  const [guarded] = outgoingTools([search], new Redactor([{ name: "K", value: SECRET }]), () => 0) as [Tool];
  expect(await guarded.run(JSON.stringify({ query: `what is ${SECRET}` }), use)).toMatchObject({ failed: true });
  expect(await guarded.run(JSON.stringify({ query: "what is a horse" }), use)).toEqual({ output: "1" });
});

it("a run asks the web sixty times a minute, and goes on in the next", async () => {
  let now = 0;
  const { call, host } = await fetching(() => now);
  for (let times = 0; times < 60; times++) expect((await call(`http://${host}/`)).failed).toBeUndefined();
  now = 20_000;
  expect(await call(`http://${host}/`)).toEqual({
    output: "Nothing was sent: this run made 60 web requests within a minute; continue in 40 seconds.",
    failed: true,
  });
  now = 60_000;
  expect((await call(`http://${host}/`)).failed).toBeUndefined();
});
