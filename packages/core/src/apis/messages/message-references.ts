import { type Fields, isFields } from '../../answer/tool-shapes/fields.ts'
import { eachOf, memberReferences, type Passes, type PlacedReference, withoutReferences } from '../shared/references.ts'
import type { WireEvent, WireReply } from '../shared/wire.ts'
import type { MessageEvent } from './message-event.ts'

type Path = PlacedReference['path']

/** The references of a block: citations of its text, and search results. */
export function blockReferences(block: Fields, path: Path): readonly PlacedReference[] {
  if (block.type === 'text') return memberReferences(block, 'citations', path)
  const isFound = block.type === 'web_search_tool_result' && Array.isArray(block.content)
  return isFound ? memberReferences(block, 'content', path).map((found) => ({ ...found, name: 'search_results' })) : []
}

/** The reference in a delta. */
export function deltaReference({ type, citation }: Fields): readonly PlacedReference[] {
  return type === 'citations_delta' ? [{ name: 'citations', value: citation, isListed: true, path: [] }] : []
}

function eventReferences({ type, data }: MessageEvent): readonly PlacedReference[] {
  if (type !== 'message_start' && type !== 'content_block_start' && type !== 'content_block_delta') return []
  const { message, content_block: block, delta } = JSON.parse(data) as Fields
  if (isFields(message)) return eachOf(message.content, ['message', 'content'], blockReferences)
  if (isFields(block)) return blockReferences(block, ['content_block'])
  return isFields(delta) ? deltaReference(delta) : []
}

/** An event without the rejected references; undefined if it is only a reference. */
export function passMessageEvent(event: WireEvent, passes: Passes): WireEvent | undefined {
  // Text deltas are frequent and have no references.
  if (event.parts.length > 0 && (event as MessageEvent).type === 'content_block_delta') return event
  const data = withoutReferences(event.data, eventReferences(event as MessageEvent), passes)
  return data === event.data ? event : data === undefined ? undefined : { ...event, data }
}

/** The same for a whole message. */
export function passMessage(reply: WireReply, passes: Passes): WireReply {
  const references = eachOf((JSON.parse(reply.body) as Fields).content, ['content'], blockReferences)
  const body = withoutReferences(reply.body, references, passes) ?? reply.body
  return body === reply.body ? reply : { ...reply, body }
}
