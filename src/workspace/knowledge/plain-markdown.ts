/** Text of others inside our own Markdown: no line, table or tag of it takes effect. */
export function plainMarkdown(text: string): string {
  return text.replace(/[|<>[\]`*_\\]/g, (mark) => `\\${mark}`).replace(/\s+/g, " ");
}
