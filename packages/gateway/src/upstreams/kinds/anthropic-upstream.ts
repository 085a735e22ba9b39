import { asRunnerFailure, checkNumbers, redactFailure } from '@stickler/core/runners'
import { protocolFailure, weightOf } from '@stickler/core/wire'
import { fanOut } from '../resilience/fan-out.ts'
import { type LaneSource, Lanes } from '../resilience/lanes.ts'
import { readText } from '../transport/decoded-body.ts'
import { EventStream, type StreamReader } from '../transport/event-stream.ts'
import { isRecord, parseJson } from '../transport/json.ts'
import { prober } from '../transport/probe.ts'
import { createTransport, type Incoming, type TransportPorts, type TransportSettings } from '../transport/transport.ts'
import type { ChatRequest, Upstream, UpstreamCall, UpstreamCallOptions } from '../upstream.ts'
import { type Prices, priceOf } from '../usage.ts'
import { MessageReader } from './anthropic-reader.ts'
import { anthropicRequest } from './anthropic-request.ts'
import { HeadAssembly } from './reply-head.ts'

/** As a stream is read. */
function streamReader(reader: MessageReader): StreamReader {
  return {
    get finished() {
      return reader.finished
    },
    take(name, data) {
      const parsed = parseJson(data)
      if (!isRecord(parsed)) throw protocolFailure('the stream holds an event that is not a JSON object', data)
      const isLast = reader.take(name, parsed)
      return { name, data, parts: [], place: 'body', weight: weightOf(parsed), ...(isLast && { isLast }) }
    },
  }
}

/** How to reach a provider that speaks Anthropic's Messages. */
export interface AnthropicUpstreamSettings extends Omit<TransportSettings, 'baseUrl'>, Prices {
  readonly name: string
  /** Everything before `/messages`, or before `/v1/messages`; Anthropic's own address. */
  readonly baseUrl?: string
  /** The version of the API; 2023-06-01. */
  readonly version?: string
  /** Most tokens of an answer when the request does not say; 4096. */
  readonly maxTokens?: number
  /** Whether the provider sends a stop reason with every answer, or not always; always. */
  readonly finishReasons?: 'always' | 'sometimes'
}

/** Talks to a provider that offers Anthropic's Messages; several choices are asked for one by one, all at once. */
export function anthropicUpstream(settings: AnthropicUpstreamSettings, ports: TransportPorts = {}): Upstream {
  const { name, version = '2023-06-01', maxTokens = 4096, baseUrl = 'https://api.anthropic.com' } = settings
  checkNumbers({ maxTokens })
  const root = baseUrl.replace(/\/v1\/?(?=$|\?)/, '')
  const transport = createTransport({ apiKeyHeader: 'x-api-key', ...settings, baseUrl: root }, { 'anthropic-version': version }, ports)

  function call(request: ChatRequest, options: UpstreamCallOptions): UpstreamCall {
    const head = new HeadAssembly(priceOf(settings, request.model), request.model)
    const reader = new MessageReader(head, settings.finishReasons ?? 'always')
    const stream = request.stream === true
    let response: Incoming | undefined
    let events: EventStream | undefined
    let isCancelled = false

    /** True when the answer comes as a stream. */
    async function begin(): Promise<boolean> {
      const body = JSON.stringify(anthropicRequest(request, maxTokens))
      response = await transport.send({ method: 'POST', path: '/v1/messages', body, stream }, options)
      head.answered(response.passedHeaders())
      if (isCancelled) response.destroy()
      if (response.contentType.toLowerCase().includes('event-stream')) {
        events = new EventStream(response, streamReader(reader))
        return true
      }
      reader.readWhole(await readText(response, (bytes) => head.receive(bytes)))
      return false
    }

    const source: LaneSource = {
      async pull(push) {
        try {
          reader.sendTo((event) => push(0, event))
          const isStream = events !== undefined || (await begin())
          if (isStream && (await events?.pull())) return true
          reader.end()
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
    return { choices: new Lanes(1, source).choices, head: () => head.head(), upstream: () => name }
  }

  return fanOut({ name, call, probe: prober(transport, '/v1/models'), close: () => transport.close() })
}
