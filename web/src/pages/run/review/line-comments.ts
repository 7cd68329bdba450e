import type { ReviewComment } from "../../../../../src/contract/runs/review-comment.ts";

interface Requested {
  feedback: string;
  comments: Omit<ReviewComment, "id">[];
}

/**
 * What was typed, apart: a line that begins with a place in the diff, as a click on its number adds it, begins a comment, which ends at
 * the next place or an empty line. All else is feedback.
 */
export function requestedIn(text: string, files: readonly { path: string }[]): Requested {
  const comments: Requested["comments"] = [];
  const feedback: string[] = [];
  let isOpen = false;
  for (const line of text.split("\n")) {
    const place = placeIn(line, files);
    const last = comments.at(-1);
    if (place !== undefined) comments.push(place);
    else if (isOpen && line.trim() !== "" && last !== undefined) last.text = `${last.text}\n${line}`.trim();
    else feedback.push(line);
    isOpen = place !== undefined || (isOpen && line.trim() !== "");
  }
  return { feedback: feedback.join("\n").trim(), comments: comments.filter((comment) => comment.text !== "") };
}

function placeIn(text: string, files: readonly { path: string }[]): Omit<ReviewComment, "id"> | undefined {
  for (const { path } of files) {
    if (!text.startsWith(`${path}:`)) continue;
    const [whole, line] = /^(\d{1,9})(?:\s|$)/.exec(text.slice(path.length + 1)) ?? [];
    if (whole !== undefined && Number(line) > 0)
      return { file: path, line: Number(line), text: text.slice(path.length + 1 + whole.length).trim() };
  }
  return undefined;
}
