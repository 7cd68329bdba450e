import { type Body, callsOf, frame, piecesOf, plain, type Scene, since, tokensOf, type Wire } from "./wire.ts";

/** OpenAI Chat Completions, which most other servers speak too. */
export const openaiChat: Wire = {
  matches: (path) => path.endsWith("/chat/completions"),
  frames: (scene) => [
    ...chunks(scene).map(frame),
    ...(scene.turn.errorEvent === undefined ? ["data: [DONE]\n\n"] : []),
  ],
  refusal: (_, { type, message }) => ({ error: { message, type, code: type, param: null } }),
  gist: (body) => {
    const { turns, news } = since<Body>(body.messages, (message) => message.role === "assistant");
    const isSystem = (message: Body) => message.role === "system" || message.role === "developer";
    return {
      model: body.model,
      system: plain(body.messages.find(isSystem)?.content),
      tools: (body.tools ?? []).map((tool: Body) => tool.function.name),
      turns,
      text: news
        .filter((message) => message.role === "user")
        .map((message) => plain(message.content))
        .join("\n"),
      results: news
        .filter((message) => message.role === "tool")
        .map((message) => ({ id: message.tool_call_id, output: plain(message.content) })),
    };
  },
};

function chunks(scene: Scene): object[] {
  const { turn, model, number } = scene;
  const { input, output, cacheRead, reasoning } = tokensOf(turn);
  const base = { id: `chatcmpl-${number}`, object: "chat.completion.chunk", created: 1_700_000_000, model };
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    ...base,
    choices: [{ index: 0, delta, finish_reason }],
  });
  const calls = callsOf(scene, "call").flatMap(({ id, name, json }, index) => [
    chunk({ tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] }),
    ...piecesOf(json).map((piece) => chunk({ tool_calls: [{ index, function: { arguments: piece } }] })),
  ]);
  const usage = {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cacheRead },
    completion_tokens_details: { reasoning_tokens: reasoning },
  };
  const finish = turn.finish ?? (calls.length > 0 ? "tool_calls" : "stop");
  return [
    chunk({ role: "assistant", content: "" }),
    ...piecesOf(turn.thinking).map((piece) => chunk({ reasoning_content: piece })),
    ...piecesOf(turn.text).map((content) => chunk({ content })),
    ...calls,
    ...(turn.errorEvent === undefined
      ? [chunk({}, finish), ...(turn.usage === null ? [] : [{ ...base, choices: [], usage }])]
      : [{ error: { ...turn.errorEvent, code: turn.errorEvent.type, param: null } }]),
  ];
}
