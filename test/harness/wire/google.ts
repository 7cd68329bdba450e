import { type Body, callsOf, frame, piecesOf, plain, type Scene, since, tokensOf, type Wire } from "./wire.ts";

/** Google's generateContent, as far as conversations with tools need it. */
export const google: Wire = {
  matches: (path) => path.includes(":streamGenerateContent"),
  frames: (scene) => chunks(scene).map(frame),
  refusal: (code, { type, message }) => ({ error: { code, message, status: type } }),
  gist: (body, path) => {
    const { turns, news } = since<Body>(body.contents, (content) => content.role === "model");
    const parts: Body[] = news.flatMap((content) => content.parts);
    const declared: Body[] = [body.tools ?? []].flat();
    return {
      model: /models\/([^:/]+)/.exec(path)?.[1] ?? "",
      system: plain(body.systemInstruction?.parts),
      tools: declared.flatMap((tool) => (tool.functionDeclarations ?? []).map((each: Body) => each.name)),
      turns,
      text: plain(parts.filter((part) => part.text !== undefined)),
      results: parts
        .filter((part) => part.functionResponse !== undefined)
        .map(({ functionResponse: { name, response } }) => ({ id: name, output: JSON.stringify(response) })),
    };
  },
};

function chunks(scene: Scene): object[] {
  const { turn } = scene;
  const { input, output, cacheRead, reasoning } = tokensOf(turn);
  const chunk = (part: object) => ({ candidates: [{ content: { role: "model", parts: [part] } }] });
  const signed = turn.signature === undefined ? {} : { thoughtSignature: turn.signature };
  const usageMetadata = {
    promptTokenCount: input,
    candidatesTokenCount: output - reasoning,
    thoughtsTokenCount: reasoning,
    cachedContentTokenCount: cacheRead,
    totalTokenCount: input + output,
  };
  const calls = callsOf(scene, "call").map(({ name, json }, at) =>
    chunk({ functionCall: { name, args: JSON.parse(json) }, ...(at === 0 ? signed : {}) }),
  );
  const end = { candidates: [{ content: { parts: [] }, finishReason: turn.finish ?? "STOP" }], usageMetadata };
  return [
    ...piecesOf(turn.thinking).map((text) => chunk({ text, thought: true })),
    ...piecesOf(turn.text).map((text) => chunk({ text })),
    ...calls,
    turn.errorEvent === undefined
      ? end
      : { error: { code: 503, message: turn.errorEvent.message, status: turn.errorEvent.type } },
  ];
}
