import type { Fields } from '../../answer/tool-shapes/fields.ts'
import { eachOf, memberReferences, type Passes, type PlacedReference, withoutReferences } from '../shared/references.ts'
import type { WireEvent, WireReply } from '../shared/wire.ts'
import type { ChatEvent } from './chat-reader.ts'
import type { ChatReply } from './read-completion.ts'

/** What the API itself defines, which is judged or refers to nothing. */
const own = new Set(
  'id object created model choices usage system_fingerprint service_tier index delta message finish_reason logprobs role content refusal tool_calls function_call audio'.split(
    ' ',
  ),
)

/** Providers put references under many names, so that everything may hold one which the API does not define. */
function chatReferences(reply: Fields): readonly PlacedReference[] {
  const inChoices = eachOf(reply.choices, ['choices'], (choice, path) => [
    ...othersOf(choice, path),
    ...['delta', 'message'].flatMap((holder) => eachOf([choice[holder]], [], (message) => othersOf(message, [...path, holder]))),
  ])
  return [...othersOf(reply, []), ...inChoices]
}

function othersOf(holder: Fields, path: readonly (string | number)[]): readonly PlacedReference[] {
  return Object.keys(holder).flatMap((name) => (own.has(name) ? [] : memberReferences(holder, name, path)))
}

/** A chunk without the references that do not pass. */
export function passChunk(event: WireEvent, passes: Passes): WireEvent {
  const data = withoutReferences(event.data, chatReferences((event as ChatEvent).chunk), passes) ?? event.data
  return data === event.data ? event : ({ ...event, data, chunk: JSON.parse(data) as Fields } as ChatEvent)
}

/** The same for a completion. */
export function passCompletion(reply: WireReply, passes: Passes): WireReply {
  const body = withoutReferences(reply.body, chatReferences((reply as ChatReply).reply), passes) ?? reply.body
  return body === reply.body ? reply : ({ ...reply, body, reply: JSON.parse(body) as Fields } as ChatReply)
}
