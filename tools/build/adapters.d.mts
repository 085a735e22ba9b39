/** The folders in `packages` whose manifest has the keyword `stickler-adapter`: contracts for a framework, on top of `core` alone. */
export const adapters: readonly string[]
