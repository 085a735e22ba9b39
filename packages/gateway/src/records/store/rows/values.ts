/** A value of a column. */
export type ColumnValue = string | number | null

/** A value that every database stores: libsql cuts a text at NUL, and PostgreSQL rejects it. */
export function withoutNul<Value>(value: Value): Value | string {
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\ufffd') : value
}

const nameLimit = 256
const sentenceLimit = 4000

/** An integer; 0 for any other value, and for -0, which JSON does not have. */
export function whole(value: unknown): number {
  return typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER ? Math.trunc(value) + 0 : 0
}

/** A finite number; 0 for any other value, and for -0, which JSON does not have. */
export function real(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? value + 0 : 0
}

/** A name, short enough for every index. */
export function name(value: unknown): string {
  return text(value, nameLimit)
}

/** A sentence of bounded length. */
export function sentence(value: unknown): string {
  return text(value, sentenceLimit)
}

/** Whether there is a value. */
export function isGiven<Value>(value: Value): value is NonNullable<Value> {
  return value !== undefined && value !== null
}

/** A text of any length; empty for any other value. */
export function longText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function text(value: unknown, limit: number): string {
  if (typeof value !== 'string') return ''
  return value.length <= limit ? value : value.slice(0, limit)
}

/** Names of facts and their values as JSON, each of bounded length. */
export function shortNames(value: unknown): string {
  return JSON.stringify(Object.fromEntries(Object.entries(Object(value)).map(([key, one]) => [name(key), name(one)])))
}
