import { type Fields, field, isFields } from '../../answer/tool-shapes/fields.ts'
import { needRoom } from '../shared/parse-reply.ts'
import { protocolFailure } from '../shared/provider-error.ts'
import type { EventPlace } from './event-parts.ts'

/** Events with pieces of a refusal or a call, and the member with the whole text. */
const toldOf: ReadonlyMap<string, string> = new Map([
  ['refusal', 'refusal'],
  ['custom_tool_call_input', 'input'],
  ['shell_call_command', 'command'],
  ['apply_patch_call_operation_diff', 'diff'],
])

interface Told {
  readonly kind: string
  readonly item: number
  /** The number of the part of a message, or of the command of a call. */
  readonly part: number
  readonly text: string
  /** Whether it was reported in two different ways. */
  readonly isOther: boolean
}

/** Throws if clients could read a response in another way than it is checked. */
export class OnlyJudged {
  /** The length of each text so far. */
  readonly #lengths = new Map<string, number>()
  /** The item and part of the latest text. */
  #last: readonly [number, number] = [0, 0]
  /** The reported text of each refusal, and of each call that the client executes. */
  readonly #told = new Map<string, Told>()

  /** Takes an event with its places. */
  take(name: string, type: string, fields: Fields, places: readonly EventPlace[]): void {
    if (name !== '' && name !== type) throw protocolFailure('the stream contains an event whose name differs from its type')
    for (const index of [fields.output_index, fields.content_index]) {
      if (!isIndex(index)) throw protocolFailure('the stream contains an event whose index is not a number')
      needRoom(Number(index ?? 0))
    }
    needReadable([fields.part])
    if (isFields(fields.item)) {
      if (typeof fields.output_index !== 'number') throw protocolFailure('the stream contains an item without its place in the output')
      needReadableItem(fields.item)
    }
    for (const place of places) if (place.kind === 'text' && !place.isRepeat) this.#add(place, Number(fields.content_index ?? 0))
    this.#tell(type, fields)
  }

  /** Whether an output has the reported refusals and calls; `indexes` are those of its items, if some are missing. */
  isToldIn(output: unknown, indexes?: readonly number[]): boolean {
    const items: readonly unknown[] = Array.isArray(output) ? output : []
    return [...this.#told.values()].every(({ kind, item: index, part, text, isOther }) => {
      const item = items[indexes?.indexOf(index) ?? index]
      return !isOther && (text === '' || (isFields(item) && memberOf(item, kind, part) === text))
    })
  }

  /** Notes the text of a refusal, or of a call that the client executes. */
  #tell(type: string, fields: Fields): void {
    const [, kind = ''] = type.split('.')
    const name = toldOf.get(kind)
    const { output_index: index, content_index: content, command_index: command, delta } = fields
    const item = Number(index ?? 0)
    if (isFields(fields.item)) this.#tellRefusals(item, fields.item)
    if (isFields(fields.part)) this.#note('refusal', item, Number(content ?? 0), fields.part.refusal)
    for (const [at, one] of outputOf(fields.response).entries()) if (isFields(one)) this.#tellRefusals(at, one)
    if (name === undefined) return
    const part = Number((kind === 'refusal' ? content : kind === 'shell_call_command' ? command : 0) ?? 0)
    this.#note(kind, item, part, fields[name], String(delta ?? ''))
  }

  #tellRefusals(index: number, { content }: Fields): void {
    if (Array.isArray(content)) for (const [at, part] of content.entries()) this.#note('refusal', index, at, field(part, 'refusal'))
  }

  /** A whole text continues its pieces. */
  #note(kind: string, item: number, part: number, whole: unknown, delta = ''): void {
    if (typeof whole !== 'string' && delta === '') return
    const key = `${kind} ${item}/${part}`
    const { text, isOther } = this.#told.get(key) ?? { text: '', isOther: false }
    const next = typeof whole === 'string' ? whole : text + delta
    this.#told.set(key, { kind, item, part, text: next, isOther: isOther || !next.startsWith(text) })
  }

  /** Clients join texts by index, the check in order of arrival: both must agree. */
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

/** The items of the response that an event repeats. */
export function outputOf(response: unknown): readonly unknown[] {
  const output = field(response, 'output')
  return Array.isArray(output) ? output : none
}

const none: readonly unknown[] = []

/** The text of a refusal or a call that events of a kind report; other texts of an item are about something else. */
function memberOf({ type, content, input, action, operation }: Fields, kind: string, part: number): unknown {
  const held = (list: unknown): unknown => (Array.isArray(list) ? list[part] : undefined)
  if (type === 'message' && kind === 'refusal') return field(held(content), 'refusal')
  if (type === 'custom_tool_call' && kind === 'custom_tool_call_input') return input
  if (type === 'shell_call' && kind === 'shell_call_command') return held(field(action, 'commands'))
  return type === 'apply_patch_call' && kind === 'apply_patch_call_operation_diff' ? field(operation, 'diff') : undefined
}

/** The same for a whole response. */
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
