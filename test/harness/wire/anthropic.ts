import {
  type Body,
  callsOf,
  type NamedEvent,
  namedFrame,
  piecesOf,
  plain,
  type Scene,
  type ScriptedTurn,
  since,
  tokensOf,
  type Wire,
} from "./wire.ts";

/** Anthropic Messages. */
export const anthropic: Wire = {
  matches: (path) => path.endsWith("/messages"),
  frames: (scene) => events(scene).map(namedFrame),
  refusal: (_, error) => ({ type: "error", error }),
  gist: (body) => {
    const { turns, news } = since<Body>(body.messages, (message) => message.role === "assistant");
    const blocks: Body[] = news.flatMap(({ content }) =>
      typeof content === "string" ? [{ type: "text", text: content }] : content,
    );
    return {
      model: body.model,
      system: plain(body.system),
      tools: (body.tools ?? []).map((tool: Body) => tool.name),
      turns,
      text: plain(blocks.filter((block) => block.type === "text")),
      results: blocks
        .filter((block) => block.type === "tool_result")
        .map((block) => ({ id: block.tool_use_id, output: plain(block.content) })),
    };
  },
};

function events(scene: Scene): NamedEvent[] {
  const { turn, model, number } = scene;
  const { input, output, cacheRead, cacheWrite, reasoning } = tokensOf(turn);
  const usage = {
    input_tokens: input - cacheRead - cacheWrite,
    output_tokens: 1,
    cache_read_input_tokens: cacheRead,
    cache_creation_input_tokens: cacheWrite,
  };
  const message = {
    id: `msg_${number}`,
    type: "message",
    role: "assistant",
    model,
    content: [],
    stop_reason: null,
    usage,
  };
  const used = { output_tokens: output, output_tokens_details: { thinking_tokens: reasoning } };
  const stop_reason = turn.finish ?? (turn.calls?.length ? "tool_use" : "end_turn");
  const end = [
    { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage: used },
    { type: "message_stop" },
  ];
  return [
    { type: "message_start", message },
    { type: "ping" },
    ...blocksOf(scene).flatMap(({ start, deltas }, index) => [
      { type: "content_block_start", index, content_block: start },
      ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
      { type: "content_block_stop", index },
    ]),
    ...(turn.errorEvent === undefined ? end : [{ type: "error", error: turn.errorEvent }]),
  ];
}

function blocksOf(scene: Scene): { start: object; deltas: object[] }[] {
  const { thinking, text } = scene.turn;
  const spoken = piecesOf(text).map((piece) => ({ type: "text_delta", text: piece }));
  return [
    ...(thinking === undefined ? [] : [thinkingBlock(scene.turn, thinking)]),
    ...(spoken.length === 0 ? [] : [{ start: { type: "text", text: "" }, deltas: spoken }]),
    ...callsOf(scene, "toolu").map(({ id, name, json }) => ({
      start: { type: "tool_use", id, name, input: {} },
      deltas: piecesOf(json).map((partial_json) => ({ type: "input_json_delta", partial_json })),
    })),
  ];
}

function thinkingBlock({ signature = "signed" }: ScriptedTurn, text: string): { start: object; deltas: object[] } {
  const deltas = piecesOf(text).map((thinking) => ({ type: "thinking_delta", thinking }));
  return {
    start: { type: "thinking", thinking: "", signature: "" },
    deltas: [...deltas, { type: "signature_delta", signature }],
  };
}
