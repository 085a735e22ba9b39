import { DamagedFile } from './unusable-file.ts'

/** What a column is read as. */
interface Kinds {
  readonly integer: number
  readonly real: number
  readonly text: string
  readonly blob: Uint8Array
}

/** A kind of value, with `?` where it may be absent, and an expression. */
export type Column = readonly [kind: keyof Kinds | `${keyof Kinds}?`, expression: string]

/** A row of columns. */
export type RowOf<Columns extends readonly Column[]> = {
  -readonly [Place in keyof Columns]: Columns[Place][0] extends `${infer Kind extends keyof Kinds}?`
    ? Kinds[Kind] | null
    : Columns[Place][0] extends keyof Kinds
      ? Kinds[Columns[Place][0]]
      : never
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Selects columns so that damage to the file cannot change their kind: text that is not UTF-8 would end the whole process in libsql 0.5, so text is read as bytes. */
export function selected(columns: readonly Column[]): string {
  const cast = ([kind, expression]: Column): string => `cast(${expression} as ${sqlKind(kind)})`
  return `select ${columns.map(cast).join(', ')}`
}

/** The values of a row; throws DamagedFile for what no index contains. */
export function rowOf<Columns extends readonly Column[]>(columns: Columns, values: readonly unknown[]): RowOf<Columns> {
  return columns.map(([kind], place) => readAs(kind, values[place])) as RowOf<Columns>
}

/** Decodes UTF-8; throws DamagedFile for anything else. */
export function decoded(bytes: Uint8Array): string {
  try {
    return strict.decode(bytes)
  } catch {
    throw new DamagedFile('a text is not UTF-8')
  }
}

function readAs(kind: Column[0], value: unknown): unknown {
  if (value === null && kind.endsWith('?')) return null
  if (!(value instanceof Uint8Array) && !Number.isFinite(value)) throw new DamagedFile('a value is missing')
  return kind.startsWith('text') ? decoded(value as Uint8Array) : value
}

function sqlKind(kind: Column[0]): string {
  const bare = kind.replace('?', '')
  return bare === 'text' ? 'blob' : bare
}
