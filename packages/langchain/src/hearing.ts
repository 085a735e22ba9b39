import { isFields, refusalIn } from '@stickler/core/internal'
import { isModelMessage } from './message.ts'
import { overlay, ownerOf } from './overlay.ts'

type Call = (...given: unknown[]) => Promise<unknown>
type Stream = (...given: unknown[]) => AsyncIterable<unknown>

/**
 * Calls a model or a chain for an answer that is still to be judged: nobody who listens to the program hears of it.
 *
 * Keeps what LangChain leaves out of its message: refusals of chat completions, and why a stream has ended.
 */
export async function invokeHearing(model: unknown, input: unknown, options: unknown, signal: AbortSignal): Promise<unknown> {
  const heard: string[] = []
  const { runId: _, runName: __, timeout: ___, ...given }: Record<string, unknown> = isFields(options) ? options : {}
  // A list without callbacks also keeps those away that LangChain would take from the surrounding run.
  const answer = await (hearing(model, heard) as { invoke: Call }).invoke(input, { ...given, callbacks: [], signal })
  const refusal = heard.join('')
  if (refusal === '' || !isModelMessage(answer)) return answer
  // There `ChatOpenAI` keeps refusals of responses.
  Object.assign(answer, { additional_kwargs: { refusal, ...answer.additional_kwargs } })
  return answer
}

/** Where models and chains have what they call: bindings, the halves of `ChatOpenAI`, and sequences. */
const inside = ['bound', 'completions', 'responses', 'first', 'last'] as const

/** The same model with its calls overheard, whichever part of it makes them, and without callbacks of its own. */
function hearing(model: unknown, heard: string[]): unknown {
  if (!isFields(model)) return model
  const { completionWithRetry: ask, middle } = model
  const own: Record<string, unknown> = {
    ...(typeof ask === 'function' && { completionWithRetry: overheard(ask.bind(model) as Call, heard) }),
    ...Object.fromEntries(inside.filter((name) => isFields(model[name])).map((name) => [name, hearing(model[name], heard)])),
    ...(Array.isArray(middle) && { middle: middle.map((step) => hearing(step, heard)) }),
    ...(isStreaming(model) && { _streamResponseChunks: withEnds(model._streamResponseChunks as Stream) }),
    ...(model.callbacks !== undefined && { callbacks: undefined }),
  }
  return Object.keys(own).length === 0 ? model : overlay(model, own)
}

/** Whether a model has a stream of its own: that of LangChain's base class throws. */
function isStreaming(model: object): boolean {
  const owner = ownerOf(model, '_streamResponseChunks')
  return owner !== undefined && !Object.hasOwn(owner, '_generateUncached')
}

function overheard(ask: Call, heard: string[]): Call {
  return async (request, ...given) => {
    const reply = await ask(unparsed(request), ...given)
    // A call that failed midway starts from nothing when it is repeated.
    heard.length = 0
    if (!isFields(reply) || !(Symbol.asyncIterator in reply)) {
      heard.push(refusalIn(reply))
      return reply
    }
    return (async function* () {
      for await (const event of reply as unknown as AsyncIterable<unknown>) {
        heard.push(refusalIn(event))
        yield event
      }
    })()
  }
}

/** The same request for the provider, in which the client of OpenAI sees no format: it would throw away an answer that it cannot parse, before it is judged. */
function unparsed(request: unknown): unknown {
  const { response_format: format, text } = isFields(request) ? request : {}
  return {
    ...(request as object),
    ...(isFields(format) && { response_format: { toJSON: () => format } }),
    ...(isFields(text) && isFields(text.format) && { text: { ...text, format: { toJSON: () => text.format } } }),
  }
}

/** Puts what a piece says of the end into the metadata of its message, as LangChain itself does only where nobody listens to the stream. */
function withEnds(stream: Stream): Stream {
  return async function* (this: unknown, ...given) {
    for await (const piece of stream.apply(this, given)) {
      if (isFields(piece) && isFields(piece.generationInfo) && isFields(piece.message)) {
        const { prompt: _, completion: __, ...info } = piece.generationInfo
        const { response_metadata: metadata } = piece.message
        Object.assign(piece.message, { response_metadata: { ...info, ...(metadata as object | undefined) } })
      }
      yield piece
    }
  }
}
