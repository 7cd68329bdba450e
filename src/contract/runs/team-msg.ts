import { z } from "zod";
import { MessageText, MessageType, RoleState } from "../documents/teams/team-message.ts";
import { fileText, line, prose } from "../words/text.ts";

const LONGEST_FILE = 100_000;

/** A file of the team's folder. */
const FilePath = z
  .string()
  .max(200)
  .regex(
    /^(?:wisdom\/[a-z0-9][a-z0-9_-]{0,63}\.md|artifacts(?:\/[A-Za-z0-9][A-Za-z0-9._-]{0,99}){1,4})$/,
    "must be wisdom/<name>.md or artifacts/<path>",
  );
const ArtifactPath = FilePath.refine((path) => path.startsWith("artifacts/"), "must start with artifacts/");
const Key = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_.-]{0,99}$/, "must be 1 to 100 letters, digits, '_', '.' or '-', starting with a letter");
const Value = z.json();

const to = line(100).describe("Member that gets it. Default: the lead.");
const type = MessageType.describe("Such as progress, blocker or state_update.");
const text = MessageText;
const task = line(100).describe("Key of the task it is about.");
const ref = line(500).describe("File or commit it is about.");
const state = RoleState.describe("With type state_update: what others should know of your work.");
const id = line(20).describe("As shown by list: MSG-001.");
const after = z.int().min(0).describe("Only messages after this number.");
const limit = z.int().min(1).max(100).describe("Default 20.");
const member = line(100).describe("Only from or to this member.");
const keys = z.array(Key).max(50).describe("Default: all keys.");
const key = Key;
const value = Value.describe("Any JSON value.");
const etag = line(64).describe("Of the version you read; needed to replace something.");
const path = FilePath.describe("wisdom/<name>.md or artifacts/<path>.");
const content = fileText(LONGEST_FILE);
const file = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, "must be a name such as issues, without .md")
  .describe("Wisdom file, such as issues (the default), learnings or decisions.");

/** What a member asks of its team's bus. */
export const TeamMsgCall = z.discriminatedUnion("op", [
  z
    .strictObject({
      ...{ op: z.literal("log"), to: to.optional(), type, text, task: task.optional(), ref: ref.optional() },
      state: state.optional(),
    })
    .refine(({ type: of, state: said }) => (of === "state_update") === (said !== undefined), {
      path: ["state"],
      message: "belongs to messages of type state_update, and only to those",
    }),
  z.strictObject({ op: z.literal("broadcast"), type, text, task: task.optional(), ref: ref.optional() }),
  z.strictObject({ op: z.literal("read"), id }),
  z.strictObject({
    ...{ op: z.literal("list"), after: after.optional(), limit: limit.default(20) },
    ...{ member: member.optional(), type: type.optional() },
  }),
  z.strictObject({ op: z.literal("status") }),
  z.strictObject({ op: z.literal("get_state"), member: member.optional() }),
  z.strictObject({ op: z.literal("get_memory"), keys: keys.optional() }),
  z.strictObject({ op: z.literal("set_memory"), key, value, etag: etag.optional() }),
  z.strictObject({ op: z.literal("list_files") }),
  z.strictObject({ op: z.literal("read_file"), path }),
  z.strictObject({ op: z.literal("add_wisdom"), file: file.default("issues"), text: prose(2_000).pipe(MessageText) }),
  z.strictObject({ op: z.literal("save_artifact"), path: ArtifactPath, content, etag: etag.optional() }),
]);
export type TeamMsgCall = z.infer<typeof TeamMsgCall>;

const OPS = [
  ...["log", "broadcast", "read", "list", "status", "get_state"],
  ...["get_memory", "set_memory", "list_files", "read_file", "add_wisdom", "save_artifact"],
] as const;

/** As models are shown it: providers want one object. What each operation takes is checked by `TeamMsgCall`. */
export const TeamMsgShown = z.strictObject({
  op: z.enum(OPS as unknown as [string, ...string[]]),
  ...z.strictObject({ to, type, text: z.string(), task, ref, state, id, after, limit, member, keys, key }).partial()
    .shape,
  ...z.strictObject({ value: z.unknown(), etag, path, content: z.string(), file }).partial().shape,
});
