import { ConfigurationError, RunnerFailure } from '@stickler/core'
import { asRunnerFailure, type Price, redactFailure } from '@stickler/core/runners'
import { countOf } from './count-of.ts'
import { readText } from './decoded-body.ts'
import { EventStream } from './event-stream.ts'
import { type LaneSource, Lanes } from './lanes.ts'
import { CompletionChunks, readCompletion } from './openai-reader.ts'
import { passer } from './pass.ts'
import { prober } from './probe.ts'
import { HeadAssembly } from './reply-head.ts'
import { createTransport, type Incoming, type TransportPorts, type TransportSettings } from './transport.ts'
import type { ChatRequest, ChoiceEvent, Upstream, UpstreamCall, UpstreamCallOptions } from './upstream.ts'

/** How to reach a provider that speaks chat completions. */
export interface OpenAiUpstreamSettings extends TransportSettings {
  readonly name: string
  /** Where the model stands in the address: nowhere (`openai`), or as deployment (`azure`: `/openai/deployments/{model}/…`). */
  readonly pathStyle?: 'openai' | 'azure'
  /** Whether the provider understands `stream_options.include_usage`; yes. */
  readonly streamUsage?: boolean
  readonly price?: Price
}

/** Talks to any provider that offers OpenAI's chat completions. */
export function openaiUpstream(settings: OpenAiUpstreamSettings, ports: TransportPorts = {}): Upstream {
  const { name, pathStyle = 'openai', streamUsage = true, price } = settings
  if (pathStyle !== 'openai' && pathStyle !== 'azure') {
    throw new ConfigurationError([{ path: ['pathStyle'], message: 'must be openai or azure' }])
  }
  const transport = createTransport(settings, {}, ports)
  const pathOf = (path: string, model: unknown): string => (pathStyle === 'azure' ? `${deploymentPath(model)}${path}` : path)

  function call(request: ChatRequest, options: UpstreamCallOptions): UpstreamCall {
    const count = countOf(request)
    const head = new HeadAssembly(price)
    const stream = request.stream === true
    let response: Incoming | undefined
    let events: EventStream | undefined
    let isCancelled = false
    const chunks = new CompletionChunks(count, head)

    async function begin(push: (lane: number, event: ChoiceEvent) => void): Promise<boolean> {
      const body = requestBody(request, stream, streamUsage)
      response = await transport.send({ method: 'POST', path: pathOf('/chat/completions', request.model), body, stream }, options)
      if (isCancelled) response.destroy()
      if (isStream(response.contentType, stream)) {
        events = new EventStream(response, chunks)
        return true
      }
      readCompletion(await readText(response.body), count, head, push)
      return false
    }

    const source: LaneSource = {
      async pull(push) {
        try {
          if (events === undefined && !(await begin(push))) return false
          chunks.sendTo(push)
          if (await events?.pull()) return true
          chunks.end()
          return false
        } catch (thrown) {
          response?.destroy()
          throw redactFailure(asRunnerFailure(thrown), transport.redact)
        }
      },
      cancel() {
        isCancelled = true
        response?.destroy()
      },
    }
    return { choices: new Lanes(count, source).choices, head: () => head.head(), upstream: () => name }
  }

  return {
    name,
    call,
    pass: passer(transport, (path, body) => pathOf(path, body.model)),
    probe: prober(transport, pathStyle === 'azure' ? '/openai/models' : '/models'),
    close: () => transport.close(),
  }
}

/** Providers may answer in the other way than they were asked, so the content type decides where it is clear. */
function isStream(contentType: string, asked: boolean): boolean {
  const type = contentType.toLowerCase()
  return type.includes('event-stream') || (asked && !type.includes('json') && !type.includes('html'))
}

function requestBody(request: ChatRequest, stream: boolean, streamUsage: boolean): string {
  const { stream_options: given, ...fields } = request
  if (!stream) return asJson('stream_options' in request ? fields : request)
  if (!streamUsage) return asJson(fields)
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
