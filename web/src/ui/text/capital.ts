/** With a capital at its beginning: words of the daemon begin small where they may stand within a sentence. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
