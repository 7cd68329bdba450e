export function buildFolder(root: string): string;
export function programStart(root: string): string;
