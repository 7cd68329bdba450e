import { describe, expect, it } from "vitest";
import { ok } from "../../../test/fakes/api.ts";
import { runCli } from "../../../test/fakes/cli.ts";

const statement = (id: string, projectId?: string) => ({
  id,
  ...(projectId === undefined ? {} : { projectId }),
  topic: "conventions",
  text: `About ${id}`,
  date: "2026-11-15",
  status: "accepted",
  origins: ["TASK-1"],
  file: "knowledge/conventions.md",
  line: 5,
  etag: "e",
});

describe("guildhall knowledge", () => {
  it("says what to do when nothing is known, and when nothing was found", async () => {
    const none = () => ok({ statements: [], total: 0 });
    expect((await runCli(["knowledge", "list"], none)).out).toMatch(
      /^No knowledge yet\. Add .* 'guildhall knowledge add TEXT'/,
    );
    expect((await runCli(["knowledge", "search", "x"], none)).out).toMatch(/^No matches\./);
    const { code, err } = await runCli(["knowledge", "remove", "abc"], none);
    expect([code, err]).toEqual([3, expect.stringContaining("No statement id ends with 'abc'")]);
  });

  it("says how many more there are", async () => {
    const answer = () => ok({ statements: [statement("conventions-0123456789")], total: 3 });
    expect((await runCli(["knowledge", "list", "--limit", "1"], answer)).out).toContain(
      "… and 2 more statements. Use --limit to see more.",
    );
  });

  it("looks in GUILDHALL_PROJECT unless --hall is given, and refuses both", async () => {
    const choice = { env: { GUILDHALL_PROJECT: "shop" } };
    const queries = async (...words: string[]) => {
      const { requests } = await runCli(["knowledge", ...words], () => ok({ statements: [], total: 0 }), choice);
      return requests.map(({ query }) => query);
    };
    expect(await queries("list")).toEqual([{ project: "shop" }]);
    expect(await queries("list", "--hall", "-t", "decisions")).toEqual([{ topic: "decisions", scope: "hall" }]);
    expect((await runCli(["knowledge", "list", "--hall", "-p", "shop"])).code).toBe(2);
  });

  it("accepts the statements named, or every pending one, and marks those that are not accepted", async () => {
    const ids = ["conventions-00000000aa", "decisions-11111111bb"];
    const own = ids.map((id) => ({ ...statement(id, "shop"), status: "pending" }));
    const answer = ({ method, path }: { method: string; path: string }) =>
      ok(
        method === "POST"
          ? { success: true, statement: statement(path.split("/")[3] ?? "") }
          : { statements: own, total: 2 },
      );
    const accepted = async (...words: string[]) => {
      const { requests, out } = await runCli(["knowledge", "accept", ...words, "-p", "shop"], answer);
      const paths = requests.filter(({ method }) => method === "POST").map(({ path, query }) => [path, query]);
      return { paths, out };
    };
    const both = ids.map((id) => [`/api/knowledge/${id}/accept`, { project: "shop" }]);
    expect((await accepted("aa", "bb")).paths).toEqual(both);
    const all = await accepted("--all");
    expect([all.paths, all.out]).toEqual([both, ids.map((id) => `Accepted ${id}: About ${id}\n`).join("")]);
    expect((await runCli(["knowledge", "accept", "--all", "aa"])).code).toBe(2);
    expect((await runCli(["knowledge", "accept"])).code).toBe(2);
    expect((await runCli(["knowledge", "list"], answer)).out).toMatch(/STATUS[\s\S]*pending/);
  });

  it("finds a statement by the end of its id, first in the project, and asks for more where it fits several", async () => {
    const own = [statement("conventions-00000000aa", "shop"), statement("decisions-11111111aa", "shop")];
    const { requests, out } = await runCli(["knowledge", "remove", "1AA", "-p", "shop"], ({ method }) =>
      ok(method === "DELETE" ? { success: true } : { statements: own, total: 2 }),
    );
    expect(requests.at(-1)).toMatchObject({
      method: "DELETE",
      path: "/api/knowledge/decisions-11111111aa",
      query: { project: "shop" },
    });
    expect(out).toBe("Removed: About decisions-11111111aa\n");
    const several = await runCli(["knowledge", "remove", "aa", "-p", "shop"], () => ok({ statements: own, total: 2 }));
    expect([several.code, several.err]).toEqual([2, expect.stringContaining("matches 2 statements")]);
  });
});
