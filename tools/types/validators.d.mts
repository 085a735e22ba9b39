/** The entry point as its text should be: every validator of `validators/index.ts` is exported, in the order of the paths. */
export function withValidators(text: string): string
