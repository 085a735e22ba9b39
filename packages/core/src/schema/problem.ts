/** The languages of messages. */
export type Language = 'en' | 'de'

/** What a check found wrong with a value. */
export interface SchemaProblem {
  /** Keys and indices from the root of the value. */
  readonly path: readonly (string | number)[]
  /** The keyword that is not satisfied. */
  readonly keyword: string
  /** One imperative sentence with the limit and what was found. */
  readonly message: string
  /** The same in German. */
  readonly german: string
  /** The limit and what was found, by the names that ajv uses. */
  readonly params: Readonly<Record<string, unknown>>
}

/** What to say of a problem in a language. */
export function wordsOf({ message, german }: Pick<SchemaProblem, 'message' | 'german'>, language: Language): string {
  return language === 'de' ? german : message
}

/** A place in a value, from the inside out. */
export interface Place {
  readonly parent: Place | undefined
  readonly key: string | number
}

/** The keys and indices that lead to a place. */
export function pathTo(place: Place | undefined): (string | number)[] {
  const path: (string | number)[] = []
  for (let at = place; at; at = at.parent) path.push(at.key)
  return path.reverse()
}
