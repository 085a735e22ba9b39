/** Runs the library once, and returns what came of it. */
export function run(): Promise<unknown>
