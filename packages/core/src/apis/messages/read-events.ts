import { type Fields, isFields } from '../../answer/tool-shapes/fields.ts'
import { memberSource } from '../../json/edit-json.ts'
import { readReply } from '../shared/parse-reply.ts'
import { errorObjectFailure, protocolFailure } from '../shared/provider-error.ts'
import { StreamWeight } from '../shared/weight-of.ts'
import type { WireListener, WireReader } from '../shared/wire.ts'
import { withoutOwn } from '../shared/without-own.ts'
import { MessageBlocks } from './message-blocks.ts'
import { eventNames, type MessageEvent, type PlacedPart } from './message-event.ts'
import { readBlocks } from './read-message.ts'
import { hasUnread } from './unread-message.ts'

const none: readonly PlacedPart[] = []
const onlyChoice: readonly number[] = [0]
const beginsText = { beginsText: true } as const

/** Reads a stream of the Messages API. */
export class MessageEvents implements WireReader {
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
