import { checkNumbers } from '@stickler/core/internal'
import { anthropicRequest, ComposedParameters, messagesWire, type ParameterTerms } from '@stickler/core/internal/apis'
import { WireCall, type WireProvider } from '@stickler/core/internal/relay'
import { type Prices, priceOf } from '../prices.ts'
import { passer } from '../transport/pass.ts'
import { prober } from '../transport/probe.ts'
import { createTransport, type TransportPorts, type TransportSettings } from '../transport/transport.ts'
import type { Upstream } from '../upstream.ts'

/** Settings of a provider with Anthropic's Messages API. */
export interface AnthropicUpstreamSettings extends Omit<TransportSettings, 'baseUrl'>, Prices, Pick<ParameterTerms, 'provider' | 'takes'> {
  readonly name: string
  /** Everything before `/messages`, or before `/v1/messages`; Anthropic's own address. */
  readonly baseUrl?: string
  /** The version of the API; 2023-06-01. */
  readonly version?: string
  /** Maximum tokens of an answer if the request has no limit; 4096. */
  readonly maxTokens?: number
  /** Whether the provider sends a stop reason with every answer, or not always; always. */
  readonly finishReasons?: 'always' | 'sometimes'
  /** Whether schemas are sent in the field that the API has for them, or in the prompt; the prompt. */
  readonly structuredOutput?: boolean
}

/** Calls a provider with Anthropic's Messages API, for one choice at a time. */
export function anthropicUpstream(settings: AnthropicUpstreamSettings, ports: TransportPorts = {}): Upstream {
  const { name, version = '2023-06-01', maxTokens = 4096, baseUrl = 'https://api.anthropic.com' } = settings
  checkNumbers({ maxTokens })
  const root = baseUrl.replace(/\/v1\/?(?=$|\?)/, '')
  const transport = createTransport({ apiKeyHeader: 'x-api-key', ...settings, baseUrl: root }, { 'anthropic-version': version }, ports)
  const provider: WireProvider = {
    name,
    transport,
    wires: [messagesWire],
    pathOf: ({ path }) => path,
    parameters: new ComposedParameters({ api: messagesWire.api, ...settings, baseUrl: root }),
    translated: (request) => anthropicRequest(request, maxTokens),
    priceOf: (model) => priceOf(settings, model),
    alwaysEnds: settings.finishReasons !== 'sometimes',
    structuredOutput: settings.structuredOutput,
  }
  return {
    name,
    speaks: new Set([messagesWire.api]),
    takesSchema: true,
    call: (request, options) => new WireCall(provider, request, options),
    passes: (path) => path === '/messages/count_tokens',
    pass: passer(transport, (path) => `/v1${path}`),
    probe: prober(transport, '/v1/models'),
    close: () => transport.close(),
  }
}
