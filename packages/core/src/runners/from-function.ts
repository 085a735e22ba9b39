import { ConfigurationError } from '../contract/configuration-error.ts'
import { systemClock } from '../contract/ports.ts'
import type { CallOptions, Message, ModelEvent, Runner } from '../engine/runner.ts'
import { RunnerFailure } from '../engine/runner-failure.ts'
import { type CancelScope, openCancelScope } from './cancel-scope.ts'
import { asMessages, retryMessages } from './conversation.ts'
import { endEvent, inOnePiece } from './end-event.ts'
import { failureOf } from './failures/failure-of.ts'

/** Text that a function returns at once, later, or in pieces. */
export type ModelText = string | AsyncIterable<string> | Promise<string | AsyncIterable<string>>

/** Any function that calls a model. */
export type ModelFunction = (
  messages: readonly Message[],
  options: { readonly signal: AbortSignal; readonly session: string | undefined },
) => ModelText

/** Makes a runner of any function that calls a model; on a retry it is given the rejected answer and the feedback as messages. */
export function fromFunction(call: ModelFunction, { echoLimit }: { readonly echoLimit?: number } = {}): Runner {
  if (typeof call !== 'function')
    throw new ConfigurationError([{ message: 'pass a function that calls a model, such as `async (messages) => text`', path: [] }])
  async function* ask(session: string | undefined, messages: readonly Message[], options: CallOptions): AsyncGenerator<ModelEvent> {
    const scope = openCancelScope(options.signal, systemClock)
    try {
      await scope.hold(Promise.resolve())
      const answer: unknown = await scope.hold(Promise.resolve(call(messages, { signal: scope.signal, session })))
      for await (const text of piecesOf(answer, scope)) {
        if (text !== '') yield { type: 'text', text }
      }
      yield endEvent({ session })
    } catch (thrown) {
      throw failureOf(thrown)
    } finally {
      scope.release()
    }
  }
  const asked = (session: string | undefined, messages: readonly Message[], options: CallOptions): AsyncIterable<ModelEvent> =>
    options.stream ? ask(session, messages, options) : inOnePiece(ask(session, messages, options))
  return {
    run: (session, prompt, options) => asked(session, asMessages(prompt), options),
    continue: (session, feedback, options) => asked(session, retryMessages(feedback, options, echoLimit), options),
  }
}

async function* piecesOf(answer: unknown, scope: CancelScope): AsyncGenerator<string> {
  if (typeof answer === 'string') {
    yield answer
    return
  }
  if (!isAsyncIterable(answer)) throw noText(answer)
  const iterator = answer[Symbol.asyncIterator]()
  let isOver = false
  try {
    for (;;) {
      const { done, value } = await scope.hold(iterator.next())
      isOver = done === true
      if (isOver) return
      if (typeof value !== 'string') throw noText(value)
      yield value
    }
  } finally {
    // Not awaited: an iterator that hangs must not hold up the call that gives it up.
    if (!isOver) void giveUp(iterator)
  }
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

function noText(value: unknown): RunnerFailure {
  return new RunnerFailure('crash', `the function returned ${value === null ? 'null' : typeof value} where text was expected`)
}
