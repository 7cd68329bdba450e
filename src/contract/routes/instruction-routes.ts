import { z } from "zod";
import { Instruction, InstructionAccept } from "../documents/instruction.ts";
import { Slug } from "../words/text.ts";
import { success } from "./route-parts.ts";

const params = z.strictObject({ id: Slug });

export const instructionRoutes = {
  listInstructions: {
    summary:
      "AGENTS.md and CLAUDE.md files for a project's working folder, nearest first, and whether each is accepted.",
    group: "Skills",
    params,
    response: z.strictObject({ instructions: z.array(Instruction) }),
  },
  acceptInstructions: {
    summary: "Accept the current content of one of these files, given by its hash.",
    group: "Skills",
    params,
    body: InstructionAccept,
    response: z.strictObject({ ...success, instruction: Instruction }),
  },
} as const;
