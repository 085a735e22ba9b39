import type { Fields } from '../../answer/tool-shapes/fields.ts'

/** More are not listed individually. */
const mostNames = 64
const longestName = 320

/** Names of request fields that a translation drops without changing the meaning. */
export class DroppedFields {
  readonly #names = new Set<string>()

  /** The names, each once. */
  get dropped(): readonly string[] {
    return [...this.#names]
  }

  /** Notes a dropped field, without its index in a list. */
  drop(name: string): void {
    if (this.#names.size < mostNames) this.#names.add(name.slice(0, longestName).replace(/\[\d+\]/g, '[]'))
  }

  /** Notes each of these fields that has a value. */
  dropGiven(fields: Fields, names: Iterable<string>, path = ''): void {
    for (const name of names) if (fields[name] !== undefined && fields[name] !== null) this.drop(path + name)
  }

  /** Notes each field with a value that is not among these translated ones. */
  dropOthers(fields: Fields, translated: ReadonlySet<string>, path = ''): void {
    for (const name in fields) if (!translated.has(name) && fields[name] !== undefined && fields[name] !== null) this.drop(path + name)
  }
}
