import { ConfigurationError } from '../../contract/configuration-error.ts'
import { type Clock, systemClock } from '../../contract/ports.ts'
import type { CallOptions, Message, ModelEvent, Runner } from '../../engine/runner.ts'
import { asRunnerFailure } from '../../engine/runner-failure.ts'
import { BodyReader } from '../body-reader.ts'
import { asMessages, defaultEchoLimit, retryMessages } from '../conversation.ts'
import { inOnePiece } from '../end-event.ts'
import { holdLeash } from '../leash.ts'
import { redactFailure, redactor } from '../secrets.ts'
import { type ReplySettings, readReply } from './openai-reply.ts'
import { endpoint, requestBody } from './openai-request.ts'
import { readStream } from './openai-stream.ts'
import { post, throwUnlessOk } from './post.ts'

/** How to reach a model behind an OpenAI-compatible address. */
export interface OpenAiSettings extends ReplySettings {
  /** Everything before `/chat/completions`, such as `https://api.openai.com/v1`. */
  readonly baseUrl: string
  readonly model: string
  readonly apiKey?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Further fields of the request, such as `temperature` or `tools`. */
  readonly body?: Readonly<Record<string, unknown>>
  readonly fetch?: typeof globalThis.fetch
  readonly clock?: Clock
  /** Milliseconds since 1970, for a `retry-after` that is a date. */
  readonly today?: () => number
  readonly timeouts?: OpenAiTimeouts
  readonly maxResponseBytes?: number
  /** Most characters of a rejected answer that are shown to the model again. */
  readonly echoLimit?: number
}

/** How long to wait for a provider. */
export interface OpenAiTimeouts {
  /** Until the answer begins; 60 s when streaming, otherwise only `totalMs` counts, because the first byte then comes last. */
  readonly firstByteMs?: number
  /** Between two pieces of the answer; 60 s. */
  readonly idleMs?: number
  /** For everything; 10 min. */
  readonly totalMs?: number
}

/** Talks to a model through the chat completions that OpenAI-compatible providers offer. */
export function openai(settings: OpenAiSettings): Runner {
  const { model, body = {}, clock = systemClock, today = Date.now, timeouts = {} } = settings
  const { maxResponseBytes = 64 * 1024 * 1024, echoLimit = defaultEchoLimit } = settings
  const { idleMs = 60_000, totalMs = 600_000 } = timeouts
  checkNumbers({ ...timeouts, maxResponseBytes, echoLimit })
  const { url, headers, secrets } = endpoint(settings.baseUrl, settings.apiKey, settings.headers ?? {})
  const redact = redactor(secrets)
  // Called without a `this`: browsers refuse a `fetch` that is called as a method of something else.
  const send = settings.fetch ?? ((input, init) => globalThis.fetch(input, init))

  async function* ask(messages: readonly Message[], options: CallOptions): AsyncGenerator<ModelEvent> {
    const leash = holdLeash(options.signal, clock)
    let reader: BodyReader | undefined
    try {
      leash.limit(totalMs, `the answer took longer than ${totalMs} ms`)
      const firstByteMs = timeouts.firstByteMs ?? (options.stream ? 60_000 : totalMs)
      const lift = leash.limit(firstByteMs, `the provider sent no answer within ${firstByteMs} ms`)
      const response = await post({ url, headers, content: requestBody(model, messages, options.stream, body), send, leash })
      reader = new BodyReader(response.body, leash, { idleMs, maxBytes: maxResponseBytes, onFirst: lift })
      await throwUnlessOk(response, reader, today)
      yield* readAnswer(response.headers.get('content-type') ?? '', reader, options.stream)
    } catch (thrown) {
      throw redactFailure(asRunnerFailure(thrown), redact)
    } finally {
      reader?.cancel()
      leash.release()
    }
  }

  /** Providers may answer in the other way than they were asked, so the content type decides where it is clear. */
  async function* readAnswer(contentType: string, reader: BodyReader, stream: boolean): AsyncGenerator<ModelEvent> {
    const isStream = /event-stream/i.test(contentType) || (stream && !/json|html/i.test(contentType))
    if (!isStream) yield* readReply(await reader.text(), settings)
    else if (stream) yield* readStream(reader, settings)
    else yield* inOnePiece(readStream(reader, settings))
  }

  return {
    run: (_session, prompt, options) => ask(asMessages(prompt), options),
    continue: (_session, feedback, options) => ask(retryMessages(feedback, options, echoLimit), options),
  }
}

function checkNumbers(numbers: Readonly<Record<string, number | undefined>>): void {
  const problems = Object.entries(numbers).flatMap(([name, value = 1]) =>
    value > 0 || (value === 0 && name === 'echoLimit') ? [] : [{ path: [name], message: 'must be a positive number' }],
  )
  if (problems.length > 0) throw new ConfigurationError(problems)
}
