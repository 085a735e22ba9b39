import { type Fields, isFields } from '../../answer/tool-shapes/fields.ts'
import { tooWide, widestReply } from './parse-reply.ts'

/** Field names in the events of an API that are not counted. */
export interface EventNames {
  /** Members of an event that replace earlier ones, or that only describe it. */
  readonly framing: ReadonlySet<string>
  /** Names that are in every event, at any depth. */
  readonly usual: ReadonlySet<string>
}

/** The cost of an event besides its texts: its pieces are stored as separate values. */
export const weightOfEvent = 8

/** The cost of an object or a list, even an empty one; every event has a few. */
const weightOfContainer = 16
const usualContainers = 4

/** How much an event adds to the stored answer, in characters: its texts, values, and names that are not in every event, which `names` collects. */
export function weightOf(event: Fields, { framing, usual }: EventNames, names?: Set<string>): number {
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

/** Weighs the events of one stream; throws a RunnerFailure if together they have more names than one object may have. */
export class StreamWeight {
  readonly #free: EventNames
  readonly #names = new Set<string>()

  constructor(free: EventNames) {
    this.#free = free
  }

  /** The weight of the next event. */
  of(event: Fields): number {
    const weight = weightOf(event, this.#free, this.#names)
    if (this.#names.size > widestReply.fields) throw tooWide('fields')
    return weight
  }
}
