/** Ask a question about their task and say the answer: one waits for it, the other ends before it comes. */
export const ASKING = {
  waits: asking(', blocksTask: "{{title}}"', "{{last.escalate}}"),
  goes: asking("", "Done for now."),
};

function asking(blocks: string, last: string): string {
  return `
turns:
  - calls: [{tool: escalate, input: {type: decision, question: "Which color for {{title}}?"${blocks}}}]
  - text: "${last}"
`;
}
