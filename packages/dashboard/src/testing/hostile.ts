import type { RunRow } from '../api/types.ts'

/** A text that tries everything: markup, script, addresses, changes of direction, control characters. */
export function hostileText(trap: string): string {
  return [
    `"'><script>window.hit = 1; fetch('${trap}/script')</script>`,
    `<img src=${trap}/img onerror="window.hit = 2"><svg onload="window.hit = 3"><iframe src="javascript:parent.hit = 4"></iframe>`,
    `javascript:window.hit=5 ${trap}/link [x](${trap}/md) <a href="javascript:hit=6">x</a></pre></table>{{hit=7}}\${hit=8}`,
    '\u202egnp.exe\u2066\u0000\u001b[31m\u007f',
  ].join('')
}

/** A run with that text in every field that a client or a model can fill. */
export function hostileRow(run: RunRow, id: string, text: string): RunRow {
  return {
    ...run,
    id,
    ...{ requestId: text, session: text, api: text, model: text, upstream: text, upstreamModel: text, contract: text, key: text },
    ...{ status: text, reason: text, codes: [`${text}/${text}`], classes: [text], label: text, question: text, answer: text.repeat(40) },
    failure: { kind: text, message: text },
  }
}

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
