import { type Fields, isFields } from '../../answer/tool-shapes/fields.ts'
import { protocolFailure } from '../shared/provider-error.ts'
import type { EventPlace } from './event-places.ts'

/** Throws where a response says something that clients could read in another way than it is judged. */
export class OnlyJudged {
  /** How much has come of each text. */
  readonly #lengths = new Map<string, number>()
  /** The item and the part that text was added to last. */
  #last: readonly [number, number] = [0, 0]
  /** What was told of each refusal, and of each input of a tool that takes text. */
  readonly #told = new Map<string, string>()

  /** Takes an event with its places. */
  take(name: string, type: string, fields: Fields, places: readonly EventPlace[]): void {
    if (name !== '' && name !== type) throw protocolFailure('the stream contains an event whose name differs from its type')
    for (const index of [fields.output_index, fields.content_index])
      if (!isIndex(index)) throw protocolFailure('the stream contains an event whose index is not a number')
    needReadable([fields.part])
    if (isFields(fields.item)) {
      if (typeof fields.output_index !== 'number') throw protocolFailure('the stream contains an item without its place in the output')
      needReadableItem(fields.item)
    }
    for (const place of places) if (place.kind === 'text' && !place.isRepeat) this.#add(place, Number(fields.content_index ?? 0))
    this.#tell(type, fields)
  }

  /** Whether the refusals and inputs that were told in pieces are those of an output; `indexes` are those of its items, where some are missing. */
  isToldIn(output: unknown, indexes?: readonly number[]): boolean {
    const items: readonly unknown[] = Array.isArray(output) ? output : []
    return [...this.#told].every(([key, value]) => {
      const [index, part] = key.split('/').map(Number)
      const item = items[indexes?.indexOf(index ?? 0) ?? index ?? 0]
      if (!isFields(item)) return value === ''
      const { type, input, content } = item
      const said: unknown = type === 'custom_tool_call' ? { refusal: input } : Array.isArray(content) ? content[part ?? 0] : undefined
      return value === (isFields(said) ? (said.refusal ?? '') : '')
    })
  }

  /** Notes what events say of a refusal, or of the input of a tool that takes text. */
  #tell(type: string, { output_index: item, content_index: part, delta, refusal, input }: Fields): void {
    const isRefusal = type.startsWith('response.refusal.')
    if (!isRefusal && !type.startsWith('response.custom_tool_call_input.')) return
    const key = `${item ?? 0}/${part ?? 0}`
    const whole = isRefusal ? refusal : input
    this.#told.set(key, typeof whole === 'string' ? whole : (this.#told.get(key) ?? '') + String(delta ?? ''))
  }

  /** Clients join texts by their places, the judge as they come: both must be the same. */
  #add({ key, item, value, isWhole, path }: EventPlace, contentIndex: number): void {
    const before = this.#lengths.get(key) ?? 0
    const length = isWhole ? Math.max(before, value.length) : before + value.length
    if (length === before) return
    this.#lengths.set(key, length)
    const inItem = path.at(-2)
    const part = typeof inItem === 'number' ? inItem : contentIndex
    const [lastItem, lastPart] = this.#last
    if (item < lastItem || (item === lastItem && part < lastPart))
      throw protocolFailure('the stream adds to a text after another one has begun')
    this.#last = [item, part]
  }
}

/** Throws where a whole response does. */
export function needOnlyJudged({ output, output_text: joined }: Fields, text: string): void {
  for (const item of Array.isArray(output) ? output : []) if (isFields(item)) needReadableItem(item)
  if (typeof joined === 'string' && joined !== '' && joined !== text)
    throw protocolFailure('the text of the response is not that of its output')
}

function needReadableItem({ type, content }: Fields): void {
  if (type === 'message' && Array.isArray(content)) needReadable(content)
}

/** Parts of unknown types are passed on, unless they look like a text. */
function needReadable(parts: readonly unknown[]): void {
  for (const part of parts) {
    if (isFields(part) && (typeof part.type !== 'string' || (part.type === 'text' && (part.text ?? '') !== '')))
      throw protocolFailure('a part of a message is a text of no known type')
  }
}

function isIndex(value: unknown): boolean {
  return value === undefined || value === null || (Number.isSafeInteger(value) && Number(value) >= 0)
}
