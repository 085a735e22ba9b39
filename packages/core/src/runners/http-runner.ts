import type { Fields } from '../answer/tool-shapes/fields.ts'
import { type NativeSchema, placeSchema } from '../apis/shared/structured-output.ts'
import type { Wire } from '../apis/shared/wire.ts'
import type { AnswerFormat } from '../contract/configuration/answer-format.ts'
import { ConfigurationError, checkNumbers } from '../contract/configuration-error.ts'
import { type Clock, systemClock } from '../contract/ports.ts'
import { withSchema } from '../engine/attempt/instructed-prompt.ts'
import { type OptionNames, rejectUnknown } from '../engine/option-names.ts'
import type { CallOptions, Message, ModelEvent, Runner } from '../engine/runner.ts'
import { asRunnerFailure } from '../engine/runner-failure.ts'
import { BodyReader } from './body-reader.ts'
import { openCancelScope } from './cancel-scope.ts'
import { asMessages, defaultEchoLimit, retryMessages } from './conversation.ts'
import type { Endpoint } from './openai/openai-request.ts'
import { post, throwUnlessOk } from './openai/post.ts'
import { redactFailure, redactor } from './secrets.ts'
import { type ReplySettings, readAnswer } from './wire-answer.ts'

/** How to call a provider at an address. */
export interface HttpRunnerSettings extends ReplySettings {
  readonly fetch?: typeof globalThis.fetch
  readonly clock?: Clock
  /** Milliseconds since 1970, for a `retry-after` that is a date. */
  readonly today?: () => number
  readonly timeouts?: RunnerTimeouts
  readonly maxResponseBytes?: number
  /** Most characters of a rejected answer that are shown to the model again. */
  readonly echoLimit?: number
}

/** The settings that all providers share. */
export const httpOptions: OptionNames<HttpRunnerSettings> = {
  fetch: true,
  clock: true,
  today: true,
  timeouts: true,
  maxResponseBytes: true,
  echoLimit: true,
  price: true,
  finishReasons: true,
}

/** How long to wait for a provider. */
export interface RunnerTimeouts {
  /** Until the answer begins; 60 s when streaming, otherwise only `totalMs` counts, because the first byte then comes last. */
  readonly firstByteMs?: number
  /** Between two pieces of the answer; 60 s. */
  readonly idleMs?: number
  /** For everything; 10 min. */
  readonly totalMs?: number
}

/** What differs between the APIs of providers. */
export interface RunnerApi {
  /** How its replies are read; loaded with the first call, as most programs that can make one never do. */
  wire(): Promise<Wire>
  readonly endpoint: Endpoint
  /** Further fields of every request. */
  readonly body: Fields
  /** Whether a schema is sent in the API's own field; in the prompt otherwise. */
  readonly structuredOutput: boolean
  /** The JSON of a request. */
  request(messages: readonly Message[], stream: boolean, native: NativeSchema | undefined): string
}

/** Throws a ConfigurationError for settings that do not exist, and for a model that has no name. */
export function checkSettings<Settings extends { readonly model: string }>(settings: Settings, known: OptionNames<Settings>): void {
  rejectUnknown(settings, known)
  if (typeof settings.model !== 'string') throw new ConfigurationError([{ message: 'pass the name of a model', path: ['model'] }])
}

/** Makes a runner that talks to a provider over `fetch`. */
export function httpRunner(api: RunnerApi, settings: HttpRunnerSettings): Runner {
  const { endpoint } = api
  const { clock = systemClock, today = Date.now, timeouts = {} } = settings
  const { maxResponseBytes = 64 * 1024 * 1024, echoLimit = defaultEchoLimit } = settings
  const { idleMs = 60_000, totalMs = 600_000 } = timeouts
  checkNumbers({ ...timeouts, maxResponseBytes, ...(echoLimit === 0 ? {} : { echoLimit }) })
  const { url, headers, secrets } = endpoint
  const redact = redactor(secrets)
  // Called without a `this`: browsers refuse a `fetch` that is called as a method of something else.
  const send = settings.fetch ?? ((input, init) => globalThis.fetch(input, init))

  async function* ask(messages: readonly Message[], { signal, stream, format }: CallOptions): AsyncGenerator<ModelEvent> {
    const scope = openCancelScope(signal, clock)
    let reader: BodyReader | undefined
    try {
      scope.limit(totalMs, `the answer took longer than ${totalMs} ms`)
      const firstByteMs = timeouts.firstByteMs ?? (stream ? 60_000 : totalMs)
      const lift = scope.limit(firstByteMs, `the provider sent no answer within ${firstByteMs} ms`)
      const wire = await api.wire()
      const response = await post({ url, headers, content: contentOf(api, wire, messages, stream, format), send, scope })
      reader = new BodyReader(response.body, scope, { idleMs, maxBytes: maxResponseBytes, onFirst: lift })
      await throwUnlessOk(response, reader, today)
      yield* readAnswer(wire, reader, { contentType: response.headers.get('content-type') ?? '', stream }, settings)
    } catch (thrown) {
      throw redactFailure(asRunnerFailure(thrown), redact)
    } finally {
      reader?.cancel()
      scope.release()
    }
  }

  return {
    takesSchema: true,
    run: (_session, prompt, options) => ask(asMessages(prompt), options),
    continue: (_session, feedback, options) => ask(retryMessages(feedback, options, echoLimit), options),
  }
}

function contentOf(
  { body, structuredOutput, request }: RunnerApi,
  { fitSchema }: Wire,
  messages: readonly Message[],
  stream: boolean,
  format: AnswerFormat | undefined,
): string {
  const { native, inPrompt } = placeSchema(format, { ...body, messages }, structuredOutput ? fitSchema : undefined)
  return request(inPrompt === undefined ? messages : withSchema(messages, inPrompt), stream, native)
}
