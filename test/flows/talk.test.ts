import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { projectProcesses } from "../harness/processes.ts";
import { scriptedHall } from "../harness/scripted-hall.ts";
import type { SeenRequest, Turn } from "../harness/scripted-provider.ts";

const isMain = ({ system }: SeenRequest) => system.includes("You are the main agent");
const reply = (channelType: string, channelId: string, text: string): Turn => ({
  calls: [{ name: "reply", input: { channelType, channelId, text } }],
});
const textsOf = (messages: { text: string }[]) => messages.map(({ text }) => text);

it("goes from the person over the main agent to a project and back [S3-CA-04, S3-CA-09]", async () => {
  const { hall } = await scriptedHall((seen) => {
    if (!isMain(seen)) return { text: "Two tasks are open." };
    if (seen.text.includes("How is the shop?")) return reply("project", "shop", "What is your status?");
    if (seen.text.includes("Two tasks are open.")) return reply("http", "default", "The shop has two open tasks.");
    return { text: "" };
  });
  const { status, body } = await hall.call("POST", "/api/chat?wait=20", { text: "How is the shop?" });
  expect(status).toBe(201);
  expect(body.isOpen).toBe(false);
  expect(textsOf(body.answers)).toEqual(["The shop has two open tasks."]);
  const { body: project } = await hall.call("GET", "/api/projects/shop/messages");
  expect(textsOf(project.messages)).toEqual(["What is your status?", "Two tasks are open."]);
});

it("tells the person what one project says and another should know, and passes it on at their word [S3-CA-12, S3-CON-05]", async () => {
  const { hall } = await scriptedHall((seen) => {
    if (isMain(seen) && seen.text.includes("[from project shop]"))
      return reply("http", "default", "The shop changed the API. Shall I tell the web?");
    if (isMain(seen) && seen.text.includes("Yes, tell the web."))
      return reply("project", "web", "The API has changed.");
    if (isMain(seen)) return { text: "" };
    if (seen.text.includes("Anything new?"))
      return { calls: [{ name: "notify", input: { text: "I changed the API; the web should know." } }] };
    return { text: seen.text.includes("The API has changed.") ? "I adapt to it." : "Told." };
  });
  await hall.call("POST", "/api/projects", { id: "web", name: "Web" });
  await hall.call("POST", "/api/chat?wait=20", { text: "Good day." });
  const { body } = await hall.call("POST", "/api/projects/shop/messages?wait=20", { text: "Anything new?" });
  expect(textsOf(body.answers)).toEqual(["Told."]);
  const { body: chat } = await hall.call("GET", "/api/chat");
  expect(textsOf(chat.messages).at(-1)).toBe("The shop changed the API. Shall I tell the web?");
  await hall.call("POST", "/api/chat?wait=20", { text: "Yes, tell the web." });
  const { body: web } = await hall.call("GET", "/api/projects/web/messages");
  expect(textsOf(web.messages)).toEqual(["The API has changed.", "I adapt to it."]);
});

it("has the main agent's last words over a project's answer go to the person who asked, where they did", async () => {
  const { hall } = await scriptedHall((seen) => {
    if (!isMain(seen)) return { text: "Two tasks are open." };
    if (seen.text.includes("How is the shop?")) return reply("project", "shop", "What is your status?");
    return { text: seen.text.includes("[from project shop]") ? "The shop has two open tasks." : "I asked the shop." };
  });
  const { body } = await hall.call("POST", "/api/chat?wait=20", { text: "How is the shop?" });
  expect(textsOf(body.answers)).toEqual(["I asked the shop.", "The shop has two open tasks."]);
  const said = await hall.call("POST", "/api/projects/shop/messages?wait=20", { text: "/STATUS" });
  expect(textsOf(said.body.answers)[0]).toContain("Shop (shop) is active");
});

it("lets nobody wait for a project that is suspended meanwhile, and says why", async () => {
  const { hall, provider } = await scriptedHall(() => ({ hang: true }));
  const asked = hall.call("POST", "/api/projects/shop/messages?wait=60", { text: "Take long." });
  await provider.request(0);
  const stream = await fetch(`${hall.url}/api/live?topics=&channels=project:shop`, {
    headers: { authorization: `Bearer ${hall.token}` },
  });
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  await hall.call("POST", "/api/projects/shop/move", { status: "suspended" });
  expect((await asked).body).toMatchObject({ answers: [], isOpen: false });
  let told = "";
  while (!told.includes('"held"')) told += (await reader?.read())?.value ?? "";
  expect(told).toContain("The project is suspended. It answers your message when it is resumed.");
  await reader?.cancel();
});

it("starts the process of a project with what is said to it, and has each hear its own [S3-DD-07, S3-CA-01, S3-CA-02, S3-CA-03, S3-CA-07]", async () => {
  const { hall } = await scriptedHall((seen) => {
    if (isMain(seen) && seen.text.includes("[from the person"))
      return {
        calls: ["shop", "web"].map((channelId) => ({
          name: "reply",
          input: { channelType: "project", channelId, text: `For ${channelId} alone.` },
        })),
      };
    return { text: isMain(seen) ? "" : `I heard: ${seen.text.split("\n").at(-1)}` };
  });
  await hall.call("POST", "/api/projects", { id: "web", name: "Web" });
  await hall.call("POST", "/api/projects", { id: "quiet", name: "Quiet" });
  expect(projectProcesses(hall.workspace)).toEqual([]);
  await hall.call("POST", "/api/chat?wait=20", { text: "Tell the shop and the web." });
  for (const id of ["shop", "web"]) {
    const { body } = await hall.call("GET", `/api/projects/${id}/messages`);
    expect(textsOf(body.messages)).toEqual([`For ${id} alone.`, `I heard: For ${id} alone.`]);
  }
  const folders = projectProcesses(hall.workspace).map((pid) =>
    readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0"),
  );
  expect(folders.map((words) => words.find((word) => word.startsWith(hall.workspace))).sort()).toEqual(
    ["shop", "web"].map((id) => join(hall.workspace, "projects", id)),
  );
});
