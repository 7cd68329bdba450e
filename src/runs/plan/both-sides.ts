/** For whoever resolves conflicts: what is in the files. `yours`: whose side comes first. */
export function bothSides(yours: string): string {
  return `They have both sides between <<<<<<< and >>>>>>>, ${yours} first. Keep what each side is for, and remove the markers. A file that one side deleted or renamed has no markers: decide whether it stays.`;
}
