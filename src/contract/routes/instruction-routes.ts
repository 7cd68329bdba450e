import { z } from "zod";
import { Instruction, InstructionAccept } from "../documents/instruction.ts";
import { Slug } from "../words/text.ts";
import { success } from "./route-parts.ts";

const params = z.strictObject({ id: Slug });

export const instructionRoutes = {
  listInstructions: {
    summary: "AGENTS.md and CLAUDE.md for a project's working folder, the nearest first, and whether each is accepted.",
    group: "Skills",
    params,
    response: z.strictObject({ instructions: z.array(Instruction) }),
  },
  acceptInstructions: {
    summary: "Accept one of these files as it is now; hash says which content is meant.",
    group: "Skills",
    params,
    body: InstructionAccept,
    response: z.strictObject({ ...success, instruction: Instruction }),
  },
} as const;
