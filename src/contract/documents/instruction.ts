import { z } from "zod";
import { line } from "../words/text.ts";
import { SkillState } from "./skill.ts";

/** A file in which a code base instructs agents. Its content is in prompts once a person accepted it. */
export const Instruction = z.strictObject({
  /** Relative to the working folder. */
  path: z.string(),
  /** Of its content as it is now. */
  hash: z.string(),
  text: z.string(),
  /** `changed`: other content was accepted, which is what agents are still told. */
  state: SkillState,
  /** What was accepted, where that is other than what is there now. */
  acceptedText: z.string().optional(),
});
export type Instruction = z.infer<typeof Instruction>;

/** `hash` says which content is meant. */
export const InstructionAccept = z.strictObject({ path: line(4_096), hash: line(100) });

/** `skills/.accepted/<project>.json`: the instructions of a working folder that a person accepted. */
export const AcceptedInstructions = z.strictObject({
  version: z.literal(1),
  /** The folder that was named; what was there then counts as accepted. */
  workdir: z.string(),
  at: z.string(),
  /** By absolute path. */
  files: z.record(
    z.string(),
    z.strictObject({ hash: z.string(), at: z.string(), by: z.enum(["named", "person", "commit"]), text: z.string() }),
  ),
});
export type AcceptedInstructions = z.infer<typeof AcceptedInstructions>;
