export function escalationLock(id: string): string {
  return `escalation ${id}`;
}
