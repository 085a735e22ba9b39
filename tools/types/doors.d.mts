/** A name that users can import from a package. */
export interface PublicName {
  /** The folder of the package. */
  readonly package: string
  readonly name: string
  /** Whether it is there at run time. */
  readonly isValue: boolean
  /** The first sentence of its comment. */
  readonly sentence: string
  /** The entry points that export it. */
  readonly doors: readonly string[]
}

/** The names that users can import, by entry point and name; those of `internal` are not among them. */
export function publicNames(): PublicName[]
