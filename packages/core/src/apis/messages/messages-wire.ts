import { contentText } from '../../answer/content.ts'
import { type Fields, isFields } from '../../answer/tool-shapes/fields.ts'
import { editJson, elementSources, type JsonEdit, memberSource } from '../../json/edit-json.ts'
import { memberJson } from '../reply/verdict-body.ts'
import { StreamWeight } from '../shared/event-weight.ts'
import { withoutOwn } from '../shared/forged-verdicts.ts'
import { formatEdit } from '../shared/format-edit.ts'
import { readReply } from '../shared/parse-reply.ts'
import { errorObjectFailure, protocolFailure } from '../shared/provider-error.ts'
import { fitAnthropic, messagesFormat } from '../shared/structured-output.ts'
import type { Wire, WireChanges, WireListener, WireReader, WireReply, WireRequest, WireTurns } from '../shared/wire.ts'
import { MessageBlocks } from './message-blocks.ts'
import { eventNames, type MessageEvent, type PlacedPart } from './message-event.ts'
import { passMessage, passMessageEvent } from './message-references.ts'
import { chatUsage } from './message-usage.ts'
import { messagesTurns } from './request/messages-turns.ts'
import { hasUnread, hasUnreadMessage } from './unchecked-message.ts'
import { MessageWriter, partEdits } from './write-events.ts'

const none: readonly PlacedPart[] = []
const onlyChoice: readonly number[] = [0]
const beginsText = { beginsText: true } as const

/** Reads a stream of the Messages API. */
class MessageEvents implements WireReader {
  readonly #blocks: MessageBlocks
  readonly #isGuarded: boolean
  /** Whether the event for the end has arrived. */
  #isEnded = false
  /** Whether content is still to come, or came after the reported end. */
  #goesOn = true
  #isStopped = false
  readonly #weight = new StreamWeight(eventNames)

  constructor(listener: WireListener) {
    this.#blocks = new MessageBlocks(listener)
    this.#isGuarded = listener.isGuarded === true
  }

  get finished(): boolean {
    return this.#blocks.finished && !this.#goesOn
  }

  take(name: string, given: string): MessageEvent {
    const { value, text } = readReply(given, this.#isGuarded)
    if (!isFields(value)) throw protocolFailure('the stream contains an event that is not a JSON object', given)
    const { fields, data } = withoutOwn(value, text, 'message')
    const failure = errorObjectFailure(fields)
    if (failure !== undefined) throw failure
    // Some providers omit the type and send only the name of the event.
    const type = typeof fields.type === 'string' ? fields.type : name
    if (this.#isGuarded && name !== '' && name !== type)
      throw protocolFailure('the stream contains an event whose name differs from its type', data)
    const isUnread = this.#isGuarded && hasUnread(type, fields, this.#blocks.typeOf(fields.index))
    if (isUnread) this.#blocks.foundUnread()
    const parts = this.#read(type, fields, data)
    const isStop = type === 'message_stop'
    this.#isStopped ||= isStop
    // A message that is complete in its first event is followed only by its stop.
    const isEnd = type === 'message_delta' || (isStop && !this.#isEnded)
    this.#isEnded ||= isEnd
    return {
      name,
      data,
      parts,
      type,
      place: type === 'message_start' ? 'open' : isEnd || isStop ? 'close' : 'body',
      index: typeof fields.index === 'number' ? fields.index : undefined,
      hasUsage: isEnd && isFields(fields.usage),
      hasModel: isFields(fields.message) && typeof fields.message.model === 'string',
      weight: this.#weight.of(fields),
      ...(type === 'content_block_start' && isFields(fields.content_block) && fields.content_block.type === 'text' ? beginsText : {}),
      ...(isEnd ? { ends: onlyChoice } : {}),
      ...(isStop ? { isLast: true } : {}),
      ...(isUnread ? { isUnread: true } : {}),
    }
  }

  end(): void {
    this.#blocks.end()
  }

  /** Clients need the stop event, even after a stop reason. */
  missing(): MessageEvent | undefined {
    return this.#isStopped || !this.finished ? undefined : this.take('message_stop', '{"type":"message_stop"}')
  }

  #read(type: string, { message, index, content_block: block, delta, usage }: Fields, data: string): readonly PlacedPart[] {
    switch (type) {
      case 'message_start':
        return isFields(message) ? this.#start(message, data) : none
      case 'content_block_start':
        this.#goesOn = true
        return isFields(block) ? this.#blocks.start(index, block, blockPath, inputOf(block, data)) : none
      case 'content_block_delta':
        return isFields(delta) ? this.#blocks.delta(index, delta) : none
      case 'content_block_stop':
        return this.#blocks.stop(index)
      case 'message_delta':
        this.#goesOn = false
        this.#blocks.head({ ...(isFields(delta) ? delta : {}), usage })
        return none
      default:
        return none
    }
  }

  /** Some messages start with content: calls made by a program of the model. */
  #start(message: Fields, data: string): readonly PlacedPart[] {
    this.#blocks.head(message)
    if (!Array.isArray(message.content) || message.content.length === 0) return none
    this.#goesOn = false
    return readBlocks(message.content, this.#blocks, startPath, () => memberSource(memberSource(data, 'message') ?? '', 'content') ?? '')
  }
}

const blockPath = ['content_block']
const startPath = ['message', 'content']

function inputOf(block: Fields, data: string): string {
  if (block.type !== 'tool_use' || !isFields(block.input) || Object.keys(block.input).length === 0) return '{}'
  return memberSource(memberSource(data, 'content_block') ?? '', 'input') ?? '{}'
}

/** Separates feedback from the user's message. */
const gap = '\n\n'

/** The JSON of a request with the engine's additions. */
function askMessages({ source, body }: WireRequest, { model, withheld, instructions = '', format, turns, anew }: WireTurns): string {
  const edits: JsonEdit[] = []
  if (model !== undefined && model !== body.model) edits.push({ path: ['model'], json: JSON.stringify(model) })
  for (const name of Object.keys(body)) if (withheld?.has(name)) edits.push({ path: [name], json: undefined })
  if (instructions !== '') edits.push(systemEdit(body.system, instructions))
  if (format !== undefined) edits.push(formatEdit(body, 'output_config', messagesFormat(format)))
  const messages = Array.isArray(body.messages) ? body.messages : []
  if (anew !== undefined && anew !== '') edits.push(anewEdit(messages, anew))
  // Anthropic refuses texts that are empty or only white space.
  const said = turns.filter(({ content, tool_calls: calls }) => calls !== undefined || contentText(content).trim() !== '')
  const added = messagesTurns(said).map((turn) => JSON.stringify(turn))
  for (const [at, json] of added.entries()) edits.push({ path: ['messages', messages.length + at], json, isNew: true })
  return editJson(source, edits)
}

/** Rules follow the client's own messages, so that a cached prefix stays the same. */
function systemEdit(system: unknown, rules: string): JsonEdit {
  if (Array.isArray(system)) return { path: ['system', system.length], json: JSON.stringify({ type: 'text', text: rules }), isNew: true }
  const text = typeof system === 'string' && system !== '' ? system + gap + rules : rules
  return { path: ['system'], json: JSON.stringify(text) }
}

/** Puts feedback before the last user message; tool results must stay right after their calls. */
function anewEdit(messages: readonly unknown[], feedback: string): JsonEdit {
  const at = messages.findLastIndex((message) => isFields(message) && message.role === 'user')
  const last: unknown = messages[at]
  const content = isFields(last) ? last.content : undefined
  if (typeof content === 'string') return { path: ['messages', at, 'content'], json: JSON.stringify(feedback + gap + content) }
  if (!Array.isArray(content))
    return { path: ['messages', messages.length], json: JSON.stringify({ role: 'user', content: feedback }), isNew: true }
  const hasResults = content.some((block) => isFields(block) && block.type === 'tool_result')
  return {
    path: ['messages', at, 'content', hasResults ? content.length : 0],
    json: JSON.stringify({ type: 'text', text: hasResults ? feedback : feedback + gap }),
    isNew: true,
  }
}

/** The wire format of Anthropic's Messages API. */
export const messagesWire: Wire = {
  api: 'messages',
  path: '/v1/messages',
  readWhole: readMessage,
  readStream: (listener) => new MessageEvents(listener),
  writeStream: (out) => new MessageWriter(out),
  writeWhole,
  passEvent: passMessageEvent,
  passReply: passMessage,
  ask: askMessages,
  fitSchema: fitAnthropic,
  chatUsage,
}

/** A block whose text was removed is removed too: providers reject an empty one in the next request, and clients that parse every block cannot read it. */
function withoutEmptied(edit: JsonEdit): JsonEdit {
  return edit.json === '""' && edit.path.at(-1) === 'text' ? { path: edit.path.slice(0, -1), json: undefined } : edit
}

function writeWhole(reply: WireReply, { model, parts, usage, members }: WireChanges): string {
  // Every whole reply of this wire comes from `readMessage`.
  const { body, parts: placed, hasModel, hasUsage } = reply as MessageReply
  const edits: JsonEdit[] = parts === undefined ? [] : partEdits(placed, parts).map(withoutEmptied)
  if (model !== undefined && hasModel) edits.push({ path: ['model'], json: JSON.stringify(model) })
  if (usage !== undefined && hasUsage) edits.push({ path: ['usage'], json: JSON.stringify(usage) })
  for (const name in members) edits.push({ path: [name], json: memberJson(members[name]) })
  return editJson(body, edits)
}

/** A whole message as received. */
interface MessageReply extends WireReply {
  readonly parts: readonly PlacedPart[]
  readonly hasModel: boolean
  readonly hasUsage: boolean
}

/** Reads a whole message. */
function readMessage(given: string, listener: WireListener): MessageReply {
  const { value, text } = readReply(given, listener.isGuarded)
  if (!isFields(value)) throw protocolFailure(given.trim() === '' ? 'the response is empty' : 'the response is not a JSON object', given)
  const { fields: message, data: body } = withoutOwn(value, text)
  const failure = errorObjectFailure(message)
  if (failure !== undefined) throw failure
  if (!Array.isArray(message.content)) throw protocolFailure('the response has no content', body)
  const blocks = new MessageBlocks(listener)
  if (listener.isGuarded && hasUnreadMessage(message)) blocks.foundUnread()
  blocks.head(message)
  const parts = readBlocks(message.content, blocks, ['content'], () => memberSource(body, 'content') ?? '')
  blocks.end()
  return { body, parts, hasModel: 'model' in message, hasUsage: isFields(message.usage) }
}

/** Reads whole blocks, each with the JSON text of its input: JavaScript cannot represent every number. */
function readBlocks(
  content: readonly unknown[],
  blocks: MessageBlocks,
  path: readonly (string | number)[],
  source: () => string,
): readonly PlacedPart[] {
  const sources = content.some(isCall) ? elementSources(source()) : []
  const parts: PlacedPart[] = []
  for (const [index, block] of content.entries()) {
    if (!isFields(block)) continue
    const input = isCall(block) ? (memberSource(sources[index] ?? '', 'input') ?? '{}') : ''
    for (const part of blocks.start(index, block, [...path, index], input)) parts.push(part)
  }
  return parts
}

function isCall(block: unknown): block is Fields {
  return isFields(block) && block.type === 'tool_use'
}
