import type { Fields } from '../../answer/tool-shapes/fields.ts'

/** More are not listed individually. */
const mostNames = 64
const longestName = 320

/** Names of the fields of a request that its translation leaves out without changing what it means. */
export class DroppedFields {
  readonly #names = new Set<string>()

  /** The names, each once. */
  get dropped(): readonly string[] {
    return [...this.#names]
  }

  /** Notes a field that is left out; which entry of a list had it does not matter. */
  drop(name: string): void {
    if (this.#names.size < mostNames) this.#names.add(name.slice(0, longestName).replace(/\[\d+\]/g, '[]'))
  }

  /** Notes each of these fields that has a value. */
  dropGiven(fields: Fields, names: Iterable<string>, path = ''): void {
    for (const name of names) if (fields[name] !== undefined && fields[name] !== null) this.drop(path + name)
  }

  /** Notes each field that has a value and is none of these, which were translated. */
  dropOthers(fields: Fields, translated: ReadonlySet<string>, path = ''): void {
    for (const name in fields) if (!translated.has(name) && fields[name] !== undefined && fields[name] !== null) this.drop(path + name)
  }
}
