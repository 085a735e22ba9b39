import type { EventNames } from '../shared/event-weight.ts'
import type { JudgedPart, WireEvent } from '../shared/wire.ts'

/** A checked part with its position in the JSON. */
export interface PlacedPart extends JudgedPart {
  readonly path: readonly (string | number)[]
  /** Set if it is JSON, such as the input of a tool in a whole block, and not a string. */
  readonly isJson?: true
}

/** An event of a stream of the Messages API. */
export interface MessageEvent extends WireEvent {
  readonly type: string
  /** Number of its block; undefined without one. */
  readonly index: number | undefined
  readonly parts: readonly PlacedPart[]
  /** Set when it begins a block of text. */
  readonly beginsText?: true
  /** Set when its data has a `usage` of its own. */
  readonly hasUsage: boolean
  /** Set when its message names a model. */
  readonly hasModel: boolean
}

/** Field names in events that are not counted. */
export const eventNames: EventNames = {
  framing: new Set(['type', 'index', 'usage']),
  usual: new Set(['delta', 'type', 'role', 'content', 'text']),
}

/** Whether an event was read by the wire of the Messages API. */
export function isMessageEvent(event: WireEvent): event is MessageEvent {
  return 'hasUsage' in event
}
