/** The objects of the schemas that a module exports, with what they say of their keys, in the order in which they are written. */
export function describedObjects(exported: readonly unknown[]): ReadonlyMap<string, string | undefined>[]

/** Declarations with a comment above each key of an object type that a schema describes; comments of before are replaced. */
export function withDescriptions(text: string, objects: readonly ReadonlyMap<string, string | undefined>[]): string
