const MARK = ".set-aside-";

/** Under which a `.git` is kept that a command left in a folder where there is no repository. */
export function setAsideName(name: string, id: string): string {
  return `${name}${MARK}${id}`;
}

export function isSetAside(name: string): boolean {
  return name.toLowerCase().startsWith(`.git${MARK}`);
}
