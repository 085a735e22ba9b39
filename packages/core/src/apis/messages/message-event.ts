import type { EventNames } from '../shared/weight-of.ts'
import type { JudgedPart, WireEvent } from '../shared/wire.ts'

/** A judged part with its place in the JSON that it came in. */
export interface PlacedPart extends JudgedPart {
  readonly path: readonly (string | number)[]
  /** Set when it is JSON itself, as the input of a tool in a whole block, and not the text of a string. */
  readonly isJson?: true
}

/** An event of a stream of the Messages API. */
export interface MessageEvent extends WireEvent {
  readonly type: string
  /** Number of the block that it is about; undefined when it is about none. */
  readonly index: number | undefined
  readonly parts: readonly PlacedPart[]
  /** Set when it begins a block of text. */
  readonly beginsText?: true
  /** Set when its data has a `usage` of its own. */
  readonly hasUsage: boolean
  /** Set when its message names a model. */
  readonly hasModel: boolean
}

/** Names in events that cost nothing. */
export const eventNames: EventNames = {
  framing: new Set(['type', 'index', 'usage']),
  usual: new Set(['delta', 'type', 'role', 'content', 'text']),
}

/** Whether an event was read by the wire of the Messages API. */
export function isMessageEvent(event: WireEvent): event is MessageEvent {
  return 'hasUsage' in event
}
