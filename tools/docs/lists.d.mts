/** Every page with lists, by its path below `docs`, as its text should be. */
export function pages(): Readonly<Record<string, string>>
