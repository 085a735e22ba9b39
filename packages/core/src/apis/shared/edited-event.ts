import type { Fields } from '../../answer/tool-shapes/fields.ts'
import { editJson, type JsonEdit } from '../../json/edit-json.ts'
import type { WireEvent, WireReply } from './wire.ts'

/** The parsed JSON of an event or a reply, wherever its wire stores it. */
interface Parsed {
  readonly chunk?: Fields
  readonly fields?: Fields
  readonly reply?: Fields
  readonly response?: Fields
}

/** The JSON of an event, parsed. */
export function eventValue(event: WireEvent): unknown {
  const { chunk, fields } = event as Parsed
  return chunk ?? fields ?? JSON.parse(event.data)
}

/** An event with changes of unchecked parts. */
export function editedEvent(event: WireEvent, edits: readonly JsonEdit[]): WireEvent {
  if (edits.length === 0) return event
  const data = editJson(event.data, edits)
  return { ...event, data, ...reparsed(event, data) }
}

/** A whole reply with changes of unchecked parts. */
export function editedReply(reply: WireReply, edits: readonly JsonEdit[]): WireReply {
  if (edits.length === 0) return reply
  const body = editJson(reply.body, edits)
  return { ...reply, body, ...reparsed(reply, body) }
}

function reparsed(given: object, json: string): Parsed {
  const holder: Parsed = given
  const value = JSON.parse(json) as Fields
  const names = ['chunk', 'fields', 'reply', 'response'] as const
  return Object.fromEntries(names.filter((name) => holder[name] !== undefined).map((name) => [name, value]))
}
