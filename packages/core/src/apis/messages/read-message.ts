import { type Fields, isFields } from '../../answer/tool-shapes/fields.ts'
import { elementSources, memberSource } from '../../json/edit-json.ts'
import { withoutOwn } from '../shared/forged-verdicts.ts'
import { readReply } from '../shared/parse-reply.ts'
import { errorObjectFailure, protocolFailure } from '../shared/provider-error.ts'
import type { WireListener, WireReply } from '../shared/wire.ts'
import { MessageBlocks } from './message-blocks.ts'
import type { PlacedPart } from './message-event.ts'
import { hasUnreadMessage } from './unchecked-message.ts'

/** A whole message as received. */
export interface MessageReply extends WireReply {
  readonly parts: readonly PlacedPart[]
  readonly hasModel: boolean
  readonly hasUsage: boolean
}

/** Reads a whole message. */
export function readMessage(given: string, listener: WireListener): MessageReply {
  const { value, text, outline } = readReply(given, listener.isGuarded)
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
  return { body, outline, parts, hasModel: 'model' in message, hasUsage: isFields(message.usage) }
}

/** Reads whole blocks, each with the JSON text of its input: JavaScript cannot represent every number. */
export function readBlocks(
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
