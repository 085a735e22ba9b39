/** Markup, quotes, changes of direction, control characters and a word that does not fit anywhere. */
export const payload = `<img src=x onerror="alert(1)">'"\u202e\u0000\u0007</script><b>javascript:alert(2) {{7*7}} ${'wide'.repeat(120)}`

/** The same value with every text, and every name in a record, replaced; numbers and structure stay. */
export function hostile<Value>(value: Value, keep: readonly string[] = []): Value {
  const change = (one: unknown, name: string): unknown => {
    if (typeof one === 'string') return keep.includes(name) ? one : payload
    if (Array.isArray(one)) return one.map((item) => change(item, name))
    if (one === null || typeof one !== 'object') return one
    return Object.fromEntries(Object.entries(one).map(([key, inner]) => [records.has(name) ? `${payload}${key}` : key, change(inner, key)]))
  }
  return change(value, '') as Value
}

/** Objects whose names are data. */
const records: ReadonlySet<string> = new Set(['facts', 'statuses', 'policy', 'options', 'codes', 'repairsByRule'])
