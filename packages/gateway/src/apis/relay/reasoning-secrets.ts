import { Answer, type Contract, type Issue } from '@stickler/core'
import { editedEvent, editedReply, editJson, eventValue, type JsonEdit, type WireEvent, type WireReply } from '@stickler/core/wire'
import { isGuarded, type Target } from '../../enforcement/target.ts'
import { replyWords } from '../reply/reply-words.ts'
import { EditedLane } from './edited-lane.ts'

type Path = JsonEdit['path']
type Fields = Readonly<Record<string, unknown>>

interface Leaf {
  readonly path: Path
  readonly text: string
}

/** Where reasoning is, by the names of members and the types of objects in all APIs. */
const names = /reasoning|think|thought/i
/** Members of reasoning that no one reads, and that providers compare with what they have sent. */
const others = new Set('type id item_id signature encrypted_content data format status role object model obfuscation'.split(' '))
/** No real provider nests deeper. */
const deepest = 32
/** So much of what came before is searched again with what follows. */
const longestTail = 20_000

const hidden = '[hidden]'

interface Hiding {
  readonly start: number
  readonly end: number
  readonly after: string
}

/**
 * Takes out of reasoning what validators such as `sensitive` take out of text. Reasoning is beside the answer and is not repaired; what is
 * delivered of it is searched nevertheless.
 */
export class ReasoningSecrets {
  readonly #validators: Contract['validators']
  readonly #lanes = new Map<string, string>()
  /** Edits of events that have been searched together with others. */
  readonly #edits = new WeakMap<object, readonly JsonEdit[]>()
  readonly #locale: Contract['policy']['locale']
  /** How many events of a stream have been searched. */
  #seen = 0

  constructor({ validators, policy }: Contract) {
    this.#validators = validators.filter(({ prepared }) => prepared.secret === true)
    this.#locale = policy.locale
  }

  /** The notes on something that was taken out. */
  get notes(): readonly Issue[] {
    const message = replyWords[this.#locale].secretReasoning
    return this.#validators.map(({ name }) => ({ code: 'SENSITIVE', severity: 'warning', validator: name, message, path: ['reasoning'] }))
  }

  /** A whole reply without them. */
  reply(reply: WireReply): WireReply {
    return mayReason(reply.body) ? editedReply(reply, this.#whole(JSON.parse(reply.body))) : reply
  }

  #whole(value: unknown): JsonEdit[] {
    return leavesOf(value).flatMap(({ path, text }) => {
      const shown = this.#hide(text)
      return shown === text ? [] : [{ path, json: JSON.stringify(shown) }]
    })
  }

  /** A message without them. */
  without<Value>(value: Value): Value {
    const edits = this.#whole(value)
    return edits.length === 0 ? value : (JSON.parse(editJson(JSON.stringify(value), edits)) as Value)
  }

  /** An event of a stream without them; those that have arrived since are searched with it, because they may continue it. */
  event(event: WireEvent, arrived: readonly (WireEvent | string)[]): WireEvent {
    if (!mayReason(event.data)) return event
    if (!this.#edits.has(event)) {
      const events = arrived.slice(this.#seen).filter((one): one is WireEvent => typeof one !== 'string' && mayReason(one.data))
      this.#seen = arrived.length
      this.#search([event, ...events].map((one) => [one, eventValue(one)]))
    }
    return editedEvent(event, this.#edits.get(event) ?? [])
  }

  /** Fields of a choice, in the order in which they came, without them. */
  fields(choice: number, all: readonly Fields[]): readonly Fields[] {
    const events = all.map((fields) => [fields, { choices: [{ index: choice, delta: fields }] }] as const)
    this.#search(events)
    return events.map(([fields, event]) => {
      const edits = this.#edits.get(fields) ?? []
      if (edits.length === 0) return fields
      return (JSON.parse(editJson(JSON.stringify(event), edits)) as typeof event).choices[0]?.delta ?? fields
    })
  }

  #search(events: readonly (readonly [event: object, value: unknown])[]): void {
    const edits = new Map<object, JsonEdit[]>()
    const lanes = new Map<string, { readonly event: object; readonly piece: Leaf }[]>()
    for (const [event, value] of events) {
      if (this.#edits.has(event)) continue
      const own: JsonEdit[] = []
      edits.set(event, own)
      for (const leaf of leavesOf(value)) {
        const lane = laneOf(value, leaf.path)
        const shown = lane === undefined ? this.#hide(leaf.text) : leaf.text
        if (lane !== undefined) lanes.set(lane, [...(lanes.get(lane) ?? []), { event, piece: leaf }])
        if (shown !== leaf.text) own.push({ path: leaf.path, json: JSON.stringify(shown) })
      }
    }
    for (const [name, pieces] of lanes) {
      const before = this.#lanes.get(name) ?? ''
      const text = before + pieces.map(({ piece }) => piece.text).join('')
      const lane = new EditedLane(before.length)
      for (const { start, end, after } of this.#find(text))
        if (end > before.length) lane.add(Math.max(0, start - before.length), end - Math.max(start, before.length), after)
      for (const { event, piece } of pieces) {
        const shown = lane.take(piece.text)
        if (shown !== piece.text) edits.get(event)?.push({ path: piece.path, json: JSON.stringify(shown) })
      }
      this.#lanes.set(name, text.slice(-longestTail))
    }
    for (const [event, own] of edits) this.#edits.set(event, own)
  }

  #hide(text: string): string {
    let shown = ''
    let at = 0
    for (const { start, end, after } of this.#find(text)) {
      shown += text.slice(at, start) + after
      at = end
    }
    return shown + text.slice(at)
  }

  /** What is to be taken out, in text order; everything where a validator cannot tell at once. */
  #find(text: string): readonly Hiding[] {
    const whole = [{ start: 0, end: text.length, after: hidden }]
    if (text === '') return []
    const found: Hiding[] = []
    for (const { prepared } of this.#validators) {
      const context = { locale: this.#locale, context: {}, ports: {}, signal: new AbortController().signal }
      try {
        const certificates = prepared.repair?.(new Answer(text), [], context, { usual: ['lossy'], now: ['lossy'] })
        if (certificates === undefined || !(Symbol.iterator in certificates)) return whole
        for (const { span, after } of certificates) found.push({ ...span, after })
      } catch {
        return whole
      }
    }
    found.sort((a, b) => a.start - b.start)
    return found.filter(({ start }, at) => at === 0 || start >= (found[at - 1]?.end ?? 0))
  }
}

/** What searches the reasoning of a target's answers; undefined when nothing has to be taken out. */
export function reasoningSecrets(target: Target): ReasoningSecrets | undefined {
  const { contract } = target
  return isGuarded(target) && contract.validators.some(({ prepared }) => prepared.secret === true)
    ? new ReasoningSecrets(contract)
    : undefined
}

/** Whether JSON may hold reasoning; names may be escaped. */
function mayReason(json: string): boolean {
  return names.test(json) || json.includes('\\u')
}

/** The texts of reasoning in an event, a reply or a message. */
function leavesOf(value: unknown): readonly Leaf[] {
  const found: Leaf[] = []
  visit(value, [], false, found)
  return found
}

function visit(value: unknown, path: Path, isReasoning: boolean, found: Leaf[]): void {
  if (typeof value === 'string') {
    if (isReasoning && value !== '') found.push({ path, text: value })
    return
  }
  if (typeof value !== 'object' || value === null || path.length > deepest) return
  if (Array.isArray(value)) {
    for (const [at, item] of value.entries()) visit(item, [...path, at], isReasoning, found)
    return
  }
  const { type, thought } = value as Readonly<Record<string, unknown>>
  const inside = isReasoning || thought === true || (typeof type === 'string' && names.test(type))
  for (const [name, item] of Object.entries(value)) {
    if (!others.has(name)) visit(item, [...path, name], inside || names.test(name), found)
  }
}

/** What a text continues, in a stream; undefined when it is whole. */
function laneOf(value: unknown, path: Path): string | undefined {
  if (!path.includes('delta')) return undefined
  const { index, item_id: item, output_index: output, summary_index: summary, content_index: content } = value as Record<string, unknown>
  const choices = (value as { readonly choices?: readonly { readonly index?: unknown }[] }).choices
  const choice = path[0] === 'choices' ? (choices?.[Number(path[1])]?.index ?? path[1]) : undefined
  return JSON.stringify([path.slice(path[0] === 'choices' ? 2 : 0), choice, index, item, output, summary, content])
}
