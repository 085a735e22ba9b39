import { ConfigurationError, RunnerFailure } from '@stickler/core'
import { asRunnerFailure, redactFailure } from '@stickler/core/runners'
import type { ChoiceEvent } from '@stickler/core/wire'
import { type LaneSource, Lanes, type Push } from '../resilience/lanes.ts'
import { readText } from '../transport/decoded-body.ts'
import { EventStream } from '../transport/event-stream.ts'
import { passer } from '../transport/pass.ts'
import { prober } from '../transport/probe.ts'
import { createTransport, type Incoming, type Transport, type TransportPorts, type TransportSettings } from '../transport/transport.ts'
import type { ChatRequest, ChoiceEvents, ReplyHead, Upstream, UpstreamCall, UpstreamCallOptions } from '../upstream.ts'
import { type Prices, priceOf } from '../usage.ts'
import type { Endings } from './choice-end.ts'
import { countOf } from './count-of.ts'
import { CompletionChunks, readCompletion } from './openai-reader.ts'
import { HeadAssembly } from './reply-head.ts'

/** How to reach a provider that speaks chat completions. */
export interface OpenAiUpstreamSettings extends TransportSettings, Prices {
  readonly name: string
  /** Where the model stands in the address: nowhere (`openai`), or as deployment (`azure`: `/openai/deployments/{model}/…`). */
  readonly pathStyle?: 'openai' | 'azure'
  /** Whether the provider understands `stream_options.include_usage`; yes. */
  readonly streamUsage?: boolean
  /** Whether the provider sends a finish reason with every answer, or not always; always. */
  readonly finishReasons?: 'always' | 'sometimes'
}

/** Talks to any provider that offers OpenAI's chat completions. */
export function openaiUpstream(settings: OpenAiUpstreamSettings, ports: TransportPorts = {}): Upstream {
  const { name, pathStyle = 'openai', streamUsage = true } = settings
  const endings = { always: settings.finishReasons !== 'sometimes' }
  if (pathStyle !== 'openai' && pathStyle !== 'azure') {
    throw new ConfigurationError([{ path: ['pathStyle'], message: 'must be openai or azure' }])
  }
  const transport = createTransport(settings, {}, ports)
  const pathOf = (path: string, model: unknown): string => (pathStyle === 'azure' ? `${deploymentPath(model)}${path}` : path)

  const provider: Provider = {
    name,
    transport,
    pathOf: (model) => pathOf('/chat/completions', model),
    streamUsage,
    prices: settings,
    endings,
  }
  return {
    name,
    call: (request, options) => new OpenAiCall(provider, request, options),
    pass: passer(transport, (path, body) => pathOf(path, body.model)),
    probe: prober(transport, pathStyle === 'azure' ? '/openai/models' : '/models'),
    close: () => transport.close(),
  }
}

/** What calls of one provider share. */
interface Provider {
  readonly name: string
  readonly transport: Transport
  readonly pathOf: (model: unknown) => string
  readonly streamUsage: boolean
  readonly prices: Prices
  readonly endings: Endings
}

class OpenAiCall implements UpstreamCall, LaneSource {
  readonly choices: readonly ChoiceEvents[]
  readonly #provider: Provider
  readonly #request: ChatRequest
  readonly #options: UpstreamCallOptions
  readonly #head: HeadAssembly
  #response: Incoming | undefined
  #events: EventStream | undefined
  #chunks: CompletionChunks | undefined
  #isCancelled = false

  constructor(provider: Provider, request: ChatRequest, options: UpstreamCallOptions) {
    this.#provider = provider
    this.#request = request
    this.#options = options
    this.#head = new HeadAssembly(priceOf(provider.prices, request.model), request.model)
    const count = countOf(request)
    this.choices = count === 1 && request.stream !== true ? [new WholeChoice(this)] : new Lanes(count, this).choices
  }

  head(): ReplyHead {
    return this.#head.head()
  }

  upstream(): string {
    return this.#provider.name
  }

  async pull(push: Push): Promise<boolean> {
    try {
      if (this.#events === undefined && !(await this.#begin(push))) return false
      this.#chunks?.sendTo(push)
      if (await this.#events?.pull()) return true
      this.#chunks?.end()
      return false
    } catch (thrown) {
      this.#response?.destroy()
      throw redactFailure(asRunnerFailure(thrown), this.#provider.transport.redact)
    }
  }

  /** Gives all events of the only choice. */
  async whole(take: (event: ChoiceEvent) => void): Promise<void> {
    const push: Push = (_lane, event) => take(event)
    while (await this.pull(push)) {
      // Some answer with a stream that was not asked for.
    }
  }

  cancel(): void {
    this.#isCancelled = true
    this.#response?.destroy()
  }

  /** True when the answer comes as a stream. */
  async #begin(push: Push): Promise<boolean> {
    const { transport, pathOf, streamUsage, endings } = this.#provider
    const request = this.#request
    const stream = request.stream === true
    const body = requestBody(request, stream, streamUsage)
    const response = await transport.send({ method: 'POST', path: pathOf(request.model), body, stream }, this.#options)
    this.#response = response
    this.#head.answered(response.passedHeaders())
    if (this.#isCancelled) response.destroy()
    if (isStream(response.contentType, stream)) {
      this.#chunks = new CompletionChunks(this.choices.length, this.#head, endings)
      this.#events = new EventStream(response, this.#chunks)
      return true
    }
    const text = await readText(response, (bytes) => this.#head.receive(bytes))
    readCompletion(text, this.choices.length, this.#head, endings, push)
    return false
  }
}

/** The only choice of an answer that is not asked for in pieces, without the lanes that share a call. */
class WholeChoice implements ChoiceEvents {
  readonly #call: OpenAiCall

  constructor(call: OpenAiCall) {
    this.#call = call
  }

  whole(take: (event: ChoiceEvent) => void): Promise<void> {
    return this.#call.whole(take)
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<ChoiceEvent> {
    const events: ChoiceEvent[] = []
    await this.#call.whole((event) => events.push(event))
    yield* events
  }
}

/** Providers may answer in the other way than they were asked, so the content type decides where it is clear. */
function isStream(contentType: string, asked: boolean): boolean {
  const type = contentType.toLowerCase()
  return type.includes('event-stream') || (asked && !type.includes('json') && !type.includes('html'))
}

function requestBody(request: ChatRequest, stream: boolean, streamUsage: boolean): string {
  if (!stream && request.stream_options === undefined) return asJson(request)
  const { stream_options: given, ...fields } = request
  if (!stream || !streamUsage) return asJson(fields)
  const options = typeof given === 'object' && given !== null ? { ...given, include_usage: true } : { include_usage: true }
  return asJson({ ...fields, stream_options: options })
}

/** A seed of 64 bits is written to its last digit, which JSON.stringify cannot do. */
function asJson(request: Readonly<Record<string, unknown>>): string {
  const { seed } = request
  if (typeof seed !== 'bigint') return JSON.stringify(request)
  return `${JSON.stringify({ ...request, seed: undefined }).slice(0, -1)},"seed":${seed}}`
}

/** The name of a model may come from a client, so it must not lead to another path. */
function deploymentPath(model: unknown): string {
  if (typeof model !== 'string' || !/^[\w.:@-]{1,200}$/.test(model) || /^\.+$/.test(model)) {
    throw new RunnerFailure('http', 'there is no deployment with that name', { status: 404 })
  }
  return `/openai/deployments/${encodeURIComponent(model)}`
}
