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
});

it("takes a compatible server without a key", () => {
  const draft = { ...EMPTY_DRAFT, chosen: COMPATIBLE, name: " lab ", baseUrl: "http://127.0.0.1:8000" };
  expect(targetOf(draft)).toEqual({
    name: "lab",
    body: { baseUrl: "http://127.0.0.1:8000", kind: "openai-compatible" },
  });
});
