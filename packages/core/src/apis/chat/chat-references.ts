import { type Fields, isFields } from '../../answer/tool-shapes/fields.ts'
import { memberReferences, type Passes, type PlacedReference, withoutReferences } from '../shared/references.ts'
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
  const found: PlacedReference[] = []
  addOthers(found, reply)
  const choices: readonly unknown[] = Array.isArray(reply.choices) ? reply.choices : []
  for (let at = 0; at < choices.length; at++) {
    const choice = choices[at]
    if (!isFields(choice)) continue
    addOthers(found, choice, 'choices', at)
    if (isFields(choice.delta)) addOthers(found, choice.delta, 'choices', at, 'delta')
    if (isFields(choice.message)) addOthers(found, choice.message, 'choices', at, 'message')
  }
  return found
}

/** Makes nothing where there are none, as in nearly every event. */
function addOthers(found: PlacedReference[], holder: Fields, ...path: readonly (string | number)[]): void {
  for (const name in holder) if (!own.has(name)) for (const one of memberReferences(holder, name, path)) found.push(one)
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
