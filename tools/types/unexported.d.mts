/** The types that exported types of the packages mention and that nobody can import. */
export function unexportedTypes(): string[]
