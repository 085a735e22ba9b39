import type { Fields } from '../../answer/tool-shapes/fields.ts'
import { type Passes, withoutReferences } from '../shared/references.ts'
import type { WireEvent, WireReply } from '../shared/wire.ts'
import type { ResponseReply } from './read-response.ts'
import type { ResponseEvent } from './response-reader.ts'
import { eventReferences, outputReferences } from './response-references.ts'

/** An event without the references that do not pass; undefined when it is one. */
export function passResponseEvent(event: WireEvent, passes: Passes): WireEvent | undefined {
  const { type, fields } = event as ResponseEvent
  const data = withoutReferences(event.data, eventReferences(type, fields), passes)
  if (data === event.data) return event
  return data === undefined ? undefined : ({ ...event, data, fields: JSON.parse(data) as Fields } as ResponseEvent)
}

/** The same for a whole response. */
export function passResponse(reply: WireReply, passes: Passes): WireReply {
  const { response, body: given } = reply as ResponseReply
  const body = withoutReferences(given, outputReferences(response.output, ['output']), passes) ?? given
  return body === given ? reply : ({ ...reply, body, response: JSON.parse(body) as Fields } as ResponseReply)
}
