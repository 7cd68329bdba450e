/** Before the run's id, in the id of the message that tells an agent how its run ended. */
const END_OF = "ended-";

export function endMessageId(runId: string): string {
  return `${END_OF}${runId}`;
}

/** The run whose end a message tells; undefined for any other message. */
export function endedRun(messageId: string): string | undefined {
  return messageId.startsWith(END_OF) ? messageId.slice(END_OF.length) : undefined;
}
