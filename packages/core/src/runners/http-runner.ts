import type { Fields } from '../answer/tool-shapes/fields.ts'
import { type ComposedParameters, type ModelParameters, requestJson, schemaFields } from '../apis/request/composed-parameters.ts'
import { type NativeSchema, ownSchema, placeSchema } from '../apis/shared/structured-output.ts'
import type { Wire } from '../apis/shared/wire.ts'
import { ConfigurationError, checkNumbers } from '../contract/configuration-error.ts'
import { type Clock, systemClock } from '../contract/ports.ts'
import { withSchema } from '../engine/attempt/instructed-prompt.ts'
import { type OptionNames, rejectUnknown } from '../engine/option-names.ts'
import type { CallOptions, Message, ModelEvent, Runner } from '../engine/runner.ts'
import { asRunnerFailure, RunnerFailure } from '../engine/runner-failure.ts'
import { BodyReader } from './body-reader.ts'
import { openCancelScope } from './cancel-scope.ts'
import { asMessages, defaultEchoLimit, retryMessages } from './conversation.ts'
import type { Endpoint } from './openai/openai-request.ts'
import { post, throwUnlessOk } from './openai/post.ts'
import { redactFailure, redactor } from './secrets.ts'
import { withTransportRetries } from './transport-retries.ts'
import { type ReplySettings, readAnswer } from './wire-answer.ts'

/** How to call a provider at an address. */
export interface HttpRunnerSettings extends ReplySettings {
  readonly fetch?: typeof globalThis.fetch
  readonly clock?: Clock
  /** Milliseconds since 1970, for a `retry-after` that is a date. */
  readonly today?: () => number
  readonly timeouts?: RunnerTimeouts
  readonly maxResponseBytes?: number
  /** How often a call that failed on the way is repeated, after a lost connection, 408, 429 or a 5xx; 2. */
  readonly retries?: number
  /** What is wanted of the model, sent under its names and within its ranges, and left out where it takes none; `body` is sent as it is. */
  readonly parameters?: ModelParameters
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
  retries: true,
  parameters: true,
  echoLimit: true,
  price: true,
  finishReasons: true,
}

/** How long to wait for a provider. */
interface RunnerTimeouts {
  /** Until the answer begins; 60 s when streaming, otherwise only `totalMs` counts, because the first byte then comes last. */
  readonly firstByteMs?: number
  /** Between two pieces of the answer; 60 s. */
  readonly idleMs?: number
  /** For everything; 10 min. */
  readonly totalMs?: number
}

/** The longest wait that a provider may ask for when the call has no deadline. */
const maxRetryAfterMs = 30_000

/** What differs between the APIs of providers. */
export interface RunnerApi {
  /** How its replies are read; loaded with the first call, as most programs that can make one never do. */
  wire(): Promise<Wire>
  readonly endpoint: Endpoint
  /** Further fields of every request. */
  readonly body: Fields
  readonly model: string
  /** Whether a schema is sent in the API's own field; in the prompt otherwise. */
  readonly structuredOutput: boolean
  /** The parameters that its models take. */
  readonly parameters: ComposedParameters
  /** What is wanted of the model. */
  readonly wanted: ModelParameters
  /** The fields of a request, beside those of its parameters and of `body`. */
  request(messages: readonly Message[], native: NativeSchema | undefined): Fields
  /** Whether usage in a stream has to be asked for. */
  readonly asksForUsage?: true
}

/** Throws a ConfigurationError for settings that do not exist, and for a model that has no name. */
export function checkSettings<Settings extends HttpRunnerSettings & { readonly model: string }>(
  settings: Settings,
  known: OptionNames<Settings>,
): void {
  rejectUnknown(settings, known)
  const { parameters } = settings
  if (parameters !== undefined) checkParameters(parameters)
  if (typeof settings.model !== 'string') throw new ConfigurationError([{ message: 'pass the name of a model', path: ['model'] }])
}

const parameterNames: OptionNames<ModelParameters> = { maxTokens: true, temperature: true, seed: true }

function checkParameters(parameters: ModelParameters): void {
  rejectUnknown(parameters, parameterNames)
  const { maxTokens, temperature = 0, seed = 0n } = parameters
  const wrong = (name: string, message: string): ConfigurationError =>
    new ConfigurationError([{ message: `must be ${message}`, path: ['parameters', name] }])
  if (maxTokens !== undefined && !(Number.isSafeInteger(maxTokens) && maxTokens > 0)) throw wrong('maxTokens', 'a whole number above 0')
  if (!(temperature >= 0 && temperature <= 2)) throw wrong('temperature', 'a number from 0 to 2')
  if (typeof seed !== 'bigint' && !Number.isSafeInteger(seed)) throw wrong('seed', 'a whole number, or a bigint')
}

/** Makes a runner that talks to a provider over `fetch`. */
export function httpRunner(api: RunnerApi, settings: HttpRunnerSettings): Runner {
  const { endpoint } = api
  const { clock = systemClock, today = Date.now, timeouts = {} } = settings
  const { maxResponseBytes = 64 * 1024 * 1024, echoLimit = defaultEchoLimit, retries = 2 } = settings
  const { idleMs = 60_000, totalMs = 600_000 } = timeouts
  checkNumbers({ ...timeouts, maxResponseBytes, ...(echoLimit === 0 ? {} : { echoLimit }) })
  const { url, headers, secrets } = endpoint
  const redact = redactor(secrets)
  // Called without a `this`: browsers refuse a `fetch` that is called as a method of something else.
  const send = settings.fetch ?? ((input, init) => globalThis.fetch(input, init))

  /** Asks, and again with one field of ours less as long as the provider names one that it does not take. */
  async function* ask(messages: readonly Message[], options: CallOptions): AsyncGenerator<ModelEvent> {
    const wire = await api.wire()
    const { model } = api
    let { parameters } = api
    for (let hasBegun = false; ; ) {
      const { content, ours } = composed({ ...api, parameters }, wire, messages, options)
      try {
        for await (const event of call(wire, content, options)) {
          if (!hasBegun) parameters.keep(model)
          hasBegun = true
          yield event
        }
        return
      } catch (thrown) {
        if (hasBegun || !(thrown instanceof RunnerFailure)) throw thrown
        const without = parameters.without(model, { ours }, thrown)
        if (without === undefined) throw thrown
        parameters = without
        options.onRepeat?.(thrown)
      }
    }
  }

  async function* call(wire: Wire, content: string, { signal, stream }: CallOptions): AsyncGenerator<ModelEvent> {
    const scope = openCancelScope(signal, clock)
    let reader: BodyReader | undefined
    try {
      scope.limit(totalMs, `the answer took longer than ${totalMs} ms`)
      const firstByteMs = timeouts.firstByteMs ?? (stream ? 60_000 : totalMs)
      const lift = scope.limit(firstByteMs, `the provider sent no answer within ${firstByteMs} ms`)
      const response = await post({ url, headers, content, send, scope })
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

  const runner: Runner = {
    takesSchema: true,
    ownSchema: ownSchema(api.body),
    run: (_session, prompt, options) => ask(asMessages(prompt), options),
    continue: (_session, feedback, options) => ask(retryMessages(feedback, options, echoLimit), options),
  }
  return withTransportRetries(runner, { retries, maxRetryAfterMs, repeatTimeouts: false, repeatBegun: false, clock })
}

/** The JSON of a request, and the names of its fields that nobody has asked for. */
function composed(
  { body, model, structuredOutput, parameters, wanted, request, asksForUsage }: RunnerApi,
  { api, fitSchema }: Wire,
  messages: readonly Message[],
  { stream, format }: CallOptions,
): { readonly content: string; readonly ours: readonly string[] } {
  const schemaField = schemaFields[api] ?? ''
  const fit = structuredOutput && parameters.accepts(model, schemaField) ? fitSchema : undefined
  const { native, inPrompt } = placeSchema(format, { ...body, messages }, fit)
  const { fields, ours } = parameters.compose(model, hasLimit(body) ? { ...wanted, maxTokens: undefined } : wanted)
  const isUsageOurs = asksForUsage === true && stream && !('stream_options' in body) && parameters.accepts(model, 'stream_options')
  const { stream_options: options, ...rest } = body
  const asked = request(inPrompt === undefined ? messages : withSchema(messages, inPrompt), native)
  const usage = isUsageOurs ? { include_usage: true } : stream ? options : undefined
  return {
    content: requestJson({ ...fields, ...rest, ...(usage === undefined ? {} : { stream_options: usage }), ...asked, model, stream }),
    ours: [
      ...ours.filter((name) => !(name in body)),
      ...(native === undefined ? [] : [schemaField]),
      ...(isUsageOurs ? ['stream_options'] : []),
    ],
  }
}

/** Whether a body names a token limit itself. */
function hasLimit(body: Fields): boolean {
  return ['max_tokens', 'max_completion_tokens'].some((name) => name in body)
}
