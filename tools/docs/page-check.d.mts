/** The page of a validator, below `docs`. */
export function pageOf(name: string): string

/** The check that the page of a validator shows first: its name, or its name with options. */
export function pageCheck(name: string): string | Record<string, object>
