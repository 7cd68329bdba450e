import { expect, it } from "vitest";
import { CLOSED_ADDRESSES, RESOLVED } from "../../../test/cases/closed-addresses.ts";
import { countConnections, startPages } from "../../../test/harness/page-server.ts";
import { webFetchTool } from "../tools/web-tools.ts";
import { closedAddress } from "./address-rules.ts";

const rules = { userAgent: "Test/1", ports: [80, 443], allow: [] };

function resolver(answers: Record<string, string[][]>) {
  const asked: string[] = [];
  const resolveName = async (host: string) => {
    asked.push(host);
    const rounds = answers[host] ?? [];
    const times = asked.filter((name) => name === host).length;
    return rounds[Math.min(times, rounds.length) - 1] ?? [];
  };
  return { asked, resolveName };
}

it.each(CLOSED_ADDRESSES.map((url) => [url]))("opens no connection for %j", async (url) => {
  const { asked, resolveName } = resolver(RESOLVED);
  const connections = countConnections();
  const tool = webFetchTool({ rules, nextMark: () => "m", resolveName });
  const use = { callId: "c", signal: new AbortController().signal };
  const { output, failed } = await tool.run(JSON.stringify({ url }), use);
  expect({ failed, connections: connections() }, output).toEqual({ failed: true, connections: 0 });
  expect(output).toMatch(/^(?:Not fetched: .+\.|The input of web_fetch is not valid: .+)$/s);
  expect(asked).not.toContain("site.example");
});

it("counts connections that are opened, so that none means none", async () => {
  const { host } = await startPages({});
  const connections = countConnections();
  await fetch(`http://${host}/`);
  expect(connections()).toBe(1);
});

it.each([
  ["8.8.8.8"],
  ["1.1.1.1"],
  ["172.15.255.255"],
  ["172.32.0.1"],
  ["100.63.255.255"],
  ["100.128.0.1"],
  ["169.253.1.1"],
  ["223.255.255.255"],
  ["2606:4700:4700::1111"],
  ["2a00:1450:4001:81b::200e"],
  ["2001:4860:4860::8888"],
])("knows %s for public", (address) => {
  expect(closedAddress(address)).toBeUndefined();
});

it.each([["::1"], ["fe80::1%eth0"], ["nonsense"], ["::ffff:8.8.8.8"], ["64:ff9b::808:808"]])(
  "knows %s for closed",
  (address) => {
    expect(closedAddress(address)).toBeDefined();
  },
);
