import type { Api } from './recordings/recording.ts'

type Data = Readonly<Record<string, unknown>>

/** Data of a reply as it may be compared: without the model's name and the gateway's own field; long numbers keep their digits. */
export function readData(text: string): unknown {
  const exact = text.replace(/(?<=[:[,]\s*)(-?\d{16,}(?:\.\d+)?)(?=\s*[,\]}])/g, '"number $1"')
  return JSON.parse(exact, (key, value) => (key === 'model' || key === 'stickler' ? undefined : value))
}

/** The same stream whichever way its text is cut into events, since a contract may cut it elsewhere; choices are apart, since one may wait. */
export function normal(api: Api, events: readonly unknown[]): unknown {
  if (api === 'chat') return normalChat(events as Data[])
  return joined(
    (events as Data[]).map(({ sequence_number, obfuscation, ...rest }) => rest),
    (event) => (api === 'messages' ? event.type === 'content_block_delta' : String(event.type).endsWith('.delta')),
  )
}

function normalChat(events: readonly Data[]): unknown {
  const choices = new Map<unknown, Data[]>()
  const others: Data[] = []
  for (const { choices: all, obfuscation, p, ...top } of events) {
    const list = (all ?? []) as Data[]
    if (list.length === 0) others.push(top)
    for (const choice of list) choices.set(choice.index, [...(choices.get(choice.index) ?? []), { top, choice }])
  }
  const textOnly = ({ choice }: Data) => {
    const { delta, finish_reason } = choice as { delta?: Data; finish_reason?: unknown }
    const keys = Object.keys(delta ?? {})
    return finish_reason == null && keys.length === 1 && ['content', 'refusal', 'reasoning_content'].includes(keys[0] ?? '')
  }
  return { others, choices: [...choices].map(([index, list]) => [index, joined(list, textOnly)]) }
}

/** Joins neighbours that carry text and differ in nothing else. */
function joined(events: readonly Data[], carriesText: (event: Data) => boolean): Data[] {
  const list: Data[] = []
  for (const event of events) {
    const before = list.at(-1)
    const both = before !== undefined && carriesText(before) && carriesText(event) ? join(before, event, []) : undefined
    if (both === undefined) list.push(event)
    else list[list.length - 1] = both as Data
  }
  return list
}

const texts = new Set(['content', 'refusal', 'reasoning_content', 'text', 'thinking', 'partial_json', 'delta'])

/** Both in one; undefined when they differ in more than their text and what lists it. */
function join(a: unknown, b: unknown, path: readonly string[]): unknown {
  const key = path.at(-1) ?? ''
  if (typeof a === 'string' && typeof b === 'string' && texts.has(key)) return a + b
  if (Array.isArray(a) && Array.isArray(b) && path.includes('logprobs')) return [...a, ...b]
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b ? a : undefined
  if (Object.keys(a).join() !== Object.keys(b).join()) return undefined
  const parts = Object.keys(a).map((name) => [name, join((a as Data)[name], (b as Data)[name], [...path, name])] as const)
  if (parts.some(([name, value]) => value === undefined && (a as Data)[name] !== undefined)) return undefined
  return Array.isArray(a) ? parts.map(([, value]) => value) : Object.fromEntries(parts)
}
