import { styleText } from "node:util";

export type Style = "bold" | "dim" | "red" | "green" | "yellow" | "blue" | "cyan";
export type Paint = (style: Style | undefined, text: string) => string;

export const plain: Paint = (_, text) => text;

/** Whether there is colour at all is decided before, from the stream and the options of the command. */
export const colored: Paint = (style, text) =>
  style === undefined || text === "" ? text : styleText(style, text, { validateStream: false });
