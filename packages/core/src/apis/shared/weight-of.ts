import { type Fields, isFields } from '../../answer/tool-shapes/fields.ts'
import { tooWide, widestReply } from './parse-reply.ts'

/** Members of an event that replace earlier ones, or that only describe it. */
const framing = new Set([
  ...['id', 'object', 'created', 'model', 'system_fingerprint', 'service_tier', 'obfuscation', 'provider', 'usage'],
  ...['type', 'index', 'sequence_number'],
])

/** Names that are in every event. */
const usual = new Set(['choices', 'index', 'finish_reason', 'delta', 'role', 'type', 'content', 'text', 'reasoning_content', 'logprobs'])

/** What an event costs beside its texts: its pieces are kept as values of their own. */
export const weightOfEvent = 8

/** What an object or a list costs, however little is in it; an event has a few of its own. */
const weightOfContainer = 16
const usualContainers = 4

/** How much an event adds to what is kept of an answer, in characters: its texts, values, and names that are not in every event, which `names` collects. */
export function weightOf(event: Fields, names?: Set<string>): number {
  let weight = weightOfEvent
  let containers = 0
  const open: unknown[] = []
  const add = (name: string, value: unknown): void => {
    if (!usual.has(name)) {
      weight += name.length
      names?.add(name)
    }
    open.push(value)
  }
  for (const name in event) if (!framing.has(name)) add(name, event[name])
  while (open.length > 0) {
    const value = open.pop()
    if (typeof value === 'string') weight += value.length
    else if (typeof value !== 'object' || value === null) weight++
    else {
      containers++
      if (Array.isArray(value)) for (const item of value) open.push(item)
      else if (isFields(value)) for (const name in value) add(name, value[name])
    }
  }
  return weight + weightOfContainer * Math.max(0, containers - usualContainers)
}

/** Weighs the events of one stream; throws a RunnerFailure when all of them together have more names than one object may have. */
export class StreamWeight {
  readonly #names = new Set<string>()

  /** The weight of the next event. */
  of(event: Fields): number {
    const weight = weightOf(event, this.#names)
    if (this.#names.size > widestReply.fields) throw tooWide('fields')
    return weight
  }
}
