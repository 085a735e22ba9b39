/** The files with lists of projects, as their text should be. */
export function referenceLists(): Readonly<Record<string, string>>
