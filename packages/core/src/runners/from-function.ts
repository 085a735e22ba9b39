import { ConfigurationError } from '../contract/configuration-error.ts'
import { systemClock } from '../contract/ports.ts'
import type { CallOptions, ContinueOptions, Message, ModelEvent, Runner } from '../engine/runner.ts'
import { RunnerFailure } from '../engine/runner-failure.ts'
import { type CancelScope, openCancelScope } from './cancel-scope.ts'
import { asMessages, retryMessages, retryTurns } from './conversation.ts'
import { endEvent, inOnePiece } from './end-event.ts'
import { failureOf } from './failures/failure-of.ts'
import type { EventReply } from './sdk/sdk-reply.ts'

/** A message as a function is given it: of this type it fits the parameters of the SDKs of OpenAI and Anthropic and of the AI SDK. */
export type ChatMessage = { role: 'system'; content: string } | { role: 'user'; content: string } | { role: 'assistant'; content: string }

/** What a function returns, at once or later: text, the response of any client, or a stream of pieces of text or of a client's events. */
export type ModelReply = string | object | Promise<string | object>

/** Any function that calls a model; its messages are those of the prompt as they are, so name the type of your own if they are others. */
export type ModelFunction<Given = ChatMessage> = (
  messages: Given[],
  options: { readonly signal: AbortSignal; readonly session: string | undefined },
) => ModelReply

/** Makes a runner of any function that calls a model; on a retry it is given the rejected answer and the feedback as messages. */
export function fromFunction<Given = ChatMessage>(call: ModelFunction<Given>, { echoLimit }: { readonly echoLimit?: number } = {}): Runner {
  if (typeof call !== 'function')
    throw new ConfigurationError([{ message: 'pass a function that calls a model, such as `async (messages) => text`', path: [] }])
  async function* ask(session: string | undefined, messages: Asked, options: CallOptions): AsyncGenerator<ModelEvent> {
    const scope = openCancelScope(options.signal, systemClock)
    try {
      await scope.hold(Promise.resolve())
      // The function says which messages it takes.
      const given = [...(await messages)] as unknown as Given[]
      const answer: unknown = await scope.hold(Promise.resolve(call(given, { signal: scope.signal, session })))
      if (isAsyncIterable(answer)) yield* readPieces(answer, scope, session)
      else if (typeof answer === 'string')
        yield* [...(answer === '' ? [] : [{ type: 'text', text: answer } as const]), endEvent({ session })]
      else yield* (await replies()).readResponse(answer, session)
    } catch (thrown) {
      throw failureOf(thrown)
    } finally {
      scope.release()
    }
  }
  const asked = (session: string | undefined, messages: Asked, options: CallOptions): AsyncIterable<ModelEvent> =>
    options.stream ? ask(session, messages, options) : inOnePiece(ask(session, messages, options))
  return {
    run: (session, prompt, options) => asked(session, asMessages(prompt), options),
    continue: (session, feedback, options) => asked(session, askedAgain(feedback, options, echoLimit), options),
  }
}

type Asked = readonly Message[] | Promise<readonly Message[]>

/** A retry after calls is in the words of the API that the function answers in. */
function askedAgain(feedback: string, options: ContinueOptions, echoLimit: number | undefined): Asked {
  const { original, rejectedCalls } = options
  if (rejectedCalls?.message?.api === undefined) return retryMessages(feedback, options, echoLimit)
  const turns = retryTurns(feedback, options, echoLimit)
  const { message } = rejectedCalls
  return replies().then(async ({ turnsFor }) => [...asMessages(original), ...(await turnsFor(message, turns))])
}

/** Loaded when something else than text comes: most functions return text. */
const replies = () => import('./sdk/sdk-reply.ts')

async function* readPieces(answer: AsyncIterable<unknown>, scope: CancelScope, session: string | undefined): AsyncGenerator<ModelEvent> {
  const iterator = answer[Symbol.asyncIterator]()
  let events: EventReply | undefined
  let hasText = false
  let isOver = false
  try {
    for (;;) {
      const { done, value } = await scope.hold(iterator.next())
      isOver = done === true
      if (isOver) break
      if (typeof value === 'string' && events === undefined) {
        hasText = true
        if (value !== '') yield { type: 'text', text: value }
        continue
      }
      if (hasText) throw new RunnerFailure('crash', 'the function streamed both text and other values')
      events ??= await (await replies()).EventReply.begin(value)
      yield* inSession(events.take(value), session)
    }
    if (events === undefined) yield endEvent({ session })
    else yield* inSession(events.end(), session)
  } finally {
    // Not awaited: an iterator that hangs must not hold up the call that gives it up.
    if (!isOver) void giveUp(iterator)
  }
}

function* inSession(events: Iterable<ModelEvent>, session: string | undefined): Generator<ModelEvent> {
  for (const event of events) yield event.type === 'end' && session !== undefined ? { ...event, session } : event
}

async function giveUp(iterator: AsyncIterator<unknown>): Promise<void> {
  try {
    await iterator.return?.()
  } catch {
    // Nobody listens to it any more.
  }
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}
