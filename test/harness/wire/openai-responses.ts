import { openaiChat } from "./openai-chat.ts";
import {
  type Body,
  callsOf,
  type NamedEvent,
  namedFrame,
  piecesOf,
  plain,
  type Scene,
  since,
  tokensOf,
  type Wire,
} from "./wire.ts";

/** OpenAI Responses. */
export const openaiResponses: Wire = {
  matches: (path) => path.endsWith("/responses"),
  frames: (scene) => events(scene).map(namedFrame),
  refusal: openaiChat.refusal,
  gist: (body) => {
    const isModel = (item: Body) => item.role === "assistant" || ["function_call", "reasoning"].includes(item.type);
    const { news } = since<Body>(body.input, isModel);
    const isFirst = (item: Body, at: number) => isModel(item) && !(at > 0 && isModel(body.input[at - 1]));
    return {
      model: body.model,
      system: plain(body.input.find((item: Body) => item.role === "system" || item.role === "developer")?.content),
      tools: (body.tools ?? []).map((tool: Body) => tool.name),
      turns: body.input.filter(isFirst).length,
      text: news
        .filter((item) => item.role === "user")
        .map((item) => plain(item.content))
        .join("\n"),
      results: news
        .filter((item) => item.type === "function_call_output")
        .map((item) => ({ id: item.call_id, output: plain(item.output) })),
    };
  },
};

interface Item {
  added: object;
  deltas: NamedEvent[];
  done: object;
}

function events(scene: Scene): NamedEvent[] {
  const { turn, model, number } = scene;
  const { input, output, cacheRead, reasoning } = tokensOf(turn);
  const response = { id: `resp_${number}`, created_at: 1_700_000_000, model };
  const usage = {
    input_tokens: input,
    output_tokens: output,
    input_tokens_details: { cached_tokens: cacheRead },
    output_tokens_details: { reasoning_tokens: reasoning },
  };
  const ended =
    turn.finish === undefined || turn.finish === "completed"
      ? { type: "response.completed", response: { ...response, usage } }
      : { type: "response.incomplete", response: { ...response, usage, incomplete_details: { reason: turn.finish } } };
  const failed = {
    type: "error",
    sequence_number: 9,
    error: { ...turn.errorEvent, code: turn.errorEvent?.type, param: null },
  };
  const items = [...thinkingItem(scene), ...textItem(scene), ...callItems(scene)];
  return [
    { type: "response.created", response },
    { type: "response.in_progress", response },
    ...items.flatMap(({ added, deltas, done }, output_index) => [
      { type: "response.output_item.added", output_index, item: added },
      ...deltas.map((delta) => ({ ...delta, output_index })),
      { type: "response.output_item.done", output_index, item: done },
    ]),
    turn.errorEvent === undefined ? ended : failed,
  ];
}

function thinkingItem({ turn: { thinking, signature = "sealed" }, number }: Scene): Item[] {
  if (thinking === undefined) return [];
  const id = `rs_${number}`;
  const at = { item_id: id, summary_index: 0 };
  const deltas = [
    { type: "response.reasoning_summary_part.added", ...at, part: { type: "summary_text", text: "" } },
    ...piecesOf(thinking).map((delta) => ({ type: "response.reasoning_summary_text.delta", ...at, delta })),
    { type: "response.reasoning_summary_part.done", ...at, part: { type: "summary_text", text: thinking } },
  ];
  const item = { type: "reasoning", id, summary: [] };
  return [{ added: { ...item, encrypted_content: null }, deltas, done: { ...item, encrypted_content: signature } }];
}

function textItem({ turn, number }: Scene): Item[] {
  const pieces = piecesOf(turn.text);
  const item = { type: "message", id: `msg_${number}` };
  const place = { item_id: item.id, content_index: 0 };
  const deltas = pieces.map((delta) => ({ type: "response.output_text.delta", ...place, delta }));
  return pieces.length === 0 ? [] : [{ added: item, deltas, done: item }];
}

function callItems(scene: Scene): Item[] {
  return callsOf(scene, "call").map(({ id: call_id, name, json }) => {
    const item = { type: "function_call", id: `fc_${call_id}`, call_id, name, status: "completed" };
    const place = { item_id: item.id };
    const deltas = piecesOf(json).map((delta) => ({ type: "response.function_call_arguments.delta", ...place, delta }));
    return { added: { ...item, arguments: "" }, deltas, done: { ...item, arguments: json } };
  });
}
