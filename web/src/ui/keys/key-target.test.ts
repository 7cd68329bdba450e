import { expect, it } from "vitest";
import { COMPATIBLE, EMPTY_DRAFT, recognizedTitle, targetOf } from "./key-target.ts";

it("recognizes the provider by the key, however it was pasted", () => {
  expect(recognizedTitle(' "sk-ant-abc123456789"\n')).toBe("Anthropic");
  expect(recognizedTitle("export OPENAI_API_KEY=sk-proj-abc")).toBe("OpenAI");
  expect(recognizedTitle("sk-or-v1-abc")).toBe("OpenRouter");
  expect(recognizedTitle("AIzaSyA")).toBe("Google Gemini");
  expect(recognizedTitle("gsk_abc")).toBe("Groq");
  expect(recognizedTitle("something-else")).toBeUndefined();
  expect(targetOf({ ...EMPTY_DRAFT, key: "sk-ant-abc123456789" })).toMatchObject({ name: "anthropic" });
});

it("asks for what is missing", () => {
  expect(targetOf(EMPTY_DRAFT)).toEqual({ missing: "The key is empty. Paste the whole key." });
  expect(targetOf({ ...EMPTY_DRAFT, key: "two words" })).toHaveProperty("missing");
  expect(targetOf({ ...EMPTY_DRAFT, key: "abcdefghijkl" })).toHaveProperty("missing");
  expect(targetOf({ ...EMPTY_DRAFT, chosen: COMPATIBLE, name: "lab" })).toHaveProperty("missing");
  expect(targetOf({ ...EMPTY_DRAFT, key: "short", chosen: "anthropic" })).toHaveProperty("missing");
});

it("names a compatible server by its address, completes the address, and takes a short key", () => {
  const sent = (baseUrl: string) => targetOf({ ...EMPTY_DRAFT, key: "test", chosen: COMPATIBLE, baseUrl });
  const body = { key: "test", kind: "openai-compatible" };
  expect(sent("127.0.0.1:8000/v1")).toEqual({ name: "local", body: { ...body, baseUrl: "http://127.0.0.1:8000/v1" } });
  expect(sent("api.example.com")).toEqual({
    name: "example-com",
    body: { ...body, baseUrl: "https://api.example.com" },
  });
  expect(sent("gpu-box:8000")).toMatchObject({ name: "gpu-box", body: { baseUrl: "http://gpu-box:8000" } });
  expect(sent("not a url")).toHaveProperty("missing");
});

it("takes a compatible server without a key", () => {
  const draft = { ...EMPTY_DRAFT, chosen: COMPATIBLE, name: " lab ", baseUrl: "http://127.0.0.1:8000" };
  expect(targetOf(draft)).toEqual({
    name: "lab",
    body: { baseUrl: "http://127.0.0.1:8000", kind: "openai-compatible" },
  });
});
