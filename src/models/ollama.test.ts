import { describe, expect, it } from "vitest";
import { askOllama, LocalModels } from "./ollama.ts";

const answering =
  (body: string, status = 200) =>
  async () =>
    new Response(body, { status });

describe("a local Ollama", () => {
  it("tells which of its models can speak", async () => {
    const models = [
      { name: "qwen3:8b", details: { family: "qwen3" } },
      { name: "nomic-embed-text:latest", details: { family: "nomic-bert" } },
      { name: "all-minilm", details: { family: "bert" } },
      { name: "llama3.2", details: { family: "llama" } },
    ];
    const asked: string[] = [];
    const get = async (input: string | URL | Request) => {
      asked.push(String(input));
      return Response.json({ models });
    };
    expect(await askOllama("http://127.0.0.1:11434", get)).toEqual(["qwen3:8b", "llama3.2"]);
    expect(asked).toEqual(["http://127.0.0.1:11434/api/tags"]);
  });

  it.each([
    ["is not there", () => Promise.reject(new Error("ECONNREFUSED"))],
    ["is something else", answering("<html>")],
    ["has no models", answering("{}")],
    ["says nonsense", answering('{"models":[null,17,{"name":5},{"name":"a b"}]}')],
    ["fails", answering('{"models":[{"name":"x"}]}', 500)],
  ])("that %s offers nothing", async (_, get) => {
    expect(await askOllama("http://127.0.0.1:11434", get)).toEqual([]);
  });

  it("is looked for once for all who ask at the same time, and again only after a while", async () => {
    let looks = 0;
    let time = 0;
    const local = new LocalModels(
      async () => [`model-${++looks}`],
      () => time,
    );
    expect(local.known).toEqual([]);
    await Promise.all([local.look(), local.look()]);
    time = 14_999;
    await local.look();
    expect([looks, local.known]).toEqual([1, ["model-1"]]);
    time = 15_000;
    await local.look();
    expect([looks, local.known]).toEqual([2, ["model-2"]]);
  });
});
