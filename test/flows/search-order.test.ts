import { expect, it } from "vitest";
import { startHall } from "../harness/daemon.ts";

it("hits of a search keep their order, and a limit its choice, when the index is rebuilt", async () => {
  const hall = await startHall();
  for (const id of ["zebra", "apple"]) await hall.call("POST", "/api/projects", { id, name: "Project" });
  for (let count = 0; count < 12; count++) {
    const project = count % 2 === 0 ? "zebra" : "apple";
    await hall.call("POST", `/api/projects/${project}/tasks`, { title: "Harbour" });
    await hall.call("PUT", `/api/projects/${project}/context`, { path: `n${11 - count}.md`, content: "# Harbour\n" });
  }
  const found = async () => {
    const answers = [5, 50].map((limit) => hall.call("GET", `/api/search?q=harbour&limit=${limit}`));
    return (await Promise.all(answers)).map(({ body }) => body.hits);
  };
  const before = await found();
  expect(before[1]?.length).toBeGreaterThan(20);
  expect((await hall.call("POST", "/api/index/rebuild")).status).toBe(200);
  expect(await found()).toEqual(before);
});
