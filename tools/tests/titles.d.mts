/** The titles of the tests of a file and of their groups, as they are written, each with its groups around it, in order. */
export function titlesOf(text: string): string[][]
