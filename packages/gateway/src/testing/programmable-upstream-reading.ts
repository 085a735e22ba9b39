import type { RunnerFailure } from '@stickler/core'
import type { ChatRequest, ChoiceEnd, ChoiceEvent } from '@stickler/core/internal/apis'
import type { UpstreamCall, UpstreamCallOptions } from '@stickler/core/internal/relay'

/** All that a choice brought. */
interface ReadChoice {
  readonly events: readonly ChoiceEvent[]
  readonly text: string
  readonly end: ChoiceEnd | undefined
  /** What reading threw, when it did. */
  readonly failure: RunnerFailure | undefined
}

/** A request with one message of a user. */
export function asking(content: string, fields: Readonly<Record<string, unknown>> = {}): ChatRequest {
  return { model: 'test-model', messages: [{ role: 'user', content }], ...fields }
}

/** Options of a call that nobody aborts, unless told otherwise. */
export function calling(options: Partial<UpstreamCallOptions> = {}): UpstreamCallOptions {
  return { signal: new AbortController().signal, requestId: 'req-1', ...options }
}

/** Reads one choice to its end or its failure. */
export async function readChoice(choice: AsyncIterable<ChoiceEvent> | undefined): Promise<ReadChoice> {
  const events: ChoiceEvent[] = []
  let failure: RunnerFailure | undefined
  try {
    for await (const event of choice ?? []) events.push(event)
  } catch (thrown) {
    failure = thrown as RunnerFailure
  }
  const text = events.map((event) => (event.type === 'text' ? event.text : '')).join('')
  return { events, text, end: events.find((event) => event.type === 'end'), failure }
}

/** Reads the first choice of a call. */
export function readFirst({ choices }: UpstreamCall): Promise<ReadChoice> {
  return readChoice(choices[0])
}
