/** A member of plain data, when it is there. */
export function memberOf(data: unknown, key: string): unknown {
  return isRecord(data) && Object.hasOwn(data, key) ? data[key] : undefined
}

/** Whether plain data is a mapping. */
export function isRecord(data: unknown): data is Readonly<Record<string, unknown>> {
  return typeof data === 'object' && data !== null && !Array.isArray(data)
}

/** The mappings in a list of plain data, with their places. */
export function recordsOf(data: unknown): (readonly [index: number, record: Readonly<Record<string, unknown>>])[] {
  if (!Array.isArray(data)) return []
  return data.flatMap((item: unknown, index) => (isRecord(item) ? [[index, item] as const] : []))
}

/** The texts in a list of plain data, with their places. */
export function textsOf(data: unknown): (readonly [index: number, text: string])[] {
  if (!Array.isArray(data)) return []
  return data.flatMap((item: unknown, index) => (typeof item === 'string' ? [[index, item] as const] : []))
}
