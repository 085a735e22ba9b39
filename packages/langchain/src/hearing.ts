import { isFields, refusalIn } from '@stickler/core/internal'
import { isModelMessage } from './message.ts'

type Call = (...given: unknown[]) => Promise<unknown>
type Stream = (...given: unknown[]) => AsyncIterable<unknown>

/** Calls a model, and keeps what LangChain leaves out of its message: refusals of chat completions, and why a stream has ended. */
export async function invokeHearing(model: unknown, input: unknown, options: unknown): Promise<unknown> {
  const heard: string[] = []
  const answer = await (hearing(model, heard) as { invoke: Call }).invoke(input, options)
  const refusal = heard.join('')
  if (refusal === '' || !isModelMessage(answer)) return answer
  // There `ChatOpenAI` keeps refusals of responses.
  Object.assign(answer, { additional_kwargs: { refusal, ...answer.additional_kwargs } })
  return answer
}

/** The same model with its calls overheard, whichever part of it makes them. */
function hearing(model: unknown, heard: string[]): unknown {
  if (!isFields(model)) return model
  const { completionWithRetry: ask, bound, completions } = model
  const isStreaming = typeof model._streamResponseChunks === 'function' && !isAbstract(model)
  const own: Record<string, unknown> = {
    ...(typeof ask === 'function' && { completionWithRetry: overheard(ask.bind(model) as Call, heard) }),
    ...(isFields(bound) && { bound: hearing(bound, heard) }),
    // The half of `ChatOpenAI` that is asked unless it uses responses.
    ...(isFields(completions) && { completions: hearing(completions, heard) }),
    ...(isStreaming && { _streamResponseChunks: withEnds(model._streamResponseChunks as Stream) }),
  }
  return Object.create(model, Object.fromEntries(Object.entries(own).map(([name, value]) => [name, { value, enumerable: true }])))
}

/** Whether a model has no stream but the one of LangChain's base class, which throws. */
function isAbstract(model: object): boolean {
  let owner: object | null = model
  while (owner !== null && !Object.hasOwn(owner, '_streamResponseChunks')) owner = Object.getPrototypeOf(owner) as object | null
  return owner === null || Object.hasOwn(owner, '_generateUncached')
}

function overheard(ask: Call, heard: string[]): Call {
  return async (...given) => {
    const reply = await ask(...given)
    // After a call that failed midway, only the next one counts.
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
