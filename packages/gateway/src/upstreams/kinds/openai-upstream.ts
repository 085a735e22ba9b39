import { ConfigurationError, RunnerFailure } from '@stickler/core'
import { type ChatRequest, chatWire, responsesWire, type Wire } from '@stickler/core/internal/apis'
import { WireCall, type WireProvider } from '@stickler/core/internal/relay'
import { type Prices, priceOf } from '../prices.ts'
import { passer } from '../transport/pass.ts'
import { prober } from '../transport/probe.ts'
import { createTransport, type TransportPorts, type TransportSettings } from '../transport/transport.ts'
import type { Upstream } from '../upstream.ts'

/** Settings of a provider with OpenAI's chat completions API. */
export interface OpenAiUpstreamSettings extends TransportSettings, Prices {
  readonly name: string
  /**
   * Where the model is in the address: nowhere (`openai`), or as deployment (`azure`:
   * `/openai/deployments/{model}/…`).
   */
  readonly pathStyle?: 'openai' | 'azure'
  /** The APIs that the provider supports besides chat completions; none. */
  readonly apis?: readonly 'responses'[]
  /** Whether the provider supports `stream_options.include_usage`; yes. */
  readonly streamUsage?: boolean
  /** Whether the provider sends a finish reason with every answer, or not always; always. */
  readonly finishReasons?: 'always' | 'sometimes'
  /** Whether schemas are sent in the field that the API has for them, or in the prompt; the prompt. */
  readonly structuredOutput?: boolean
}

/** Calls any provider with OpenAI's chat completions API. */
export function openaiUpstream(settings: OpenAiUpstreamSettings, ports: TransportPorts = {}): Upstream {
  const { name, pathStyle = 'openai', streamUsage = true, apis = [] } = settings
  if (pathStyle !== 'openai' && pathStyle !== 'azure') {
    throw new ConfigurationError([{ path: ['pathStyle'], message: 'must be openai or azure' }])
  }
  const transport = createTransport(settings, {}, ports)
  const pathOf = (path: string, model: unknown): string => (pathStyle === 'azure' ? `${deploymentPath(model)}${path}` : path)

  const wires: readonly [Wire, ...Wire[]] = [chatWire, ...(apis.includes('responses') ? [responsesWire] : [])]
  // On Azure, only this one takes the model from the body.
  const wirePath = (wire: Wire, model: string): string =>
    pathStyle === 'azure' && wire === responsesWire ? `/openai${wire.path}` : pathOf(wire.path, model)
  const provider: WireProvider = {
    name,
    transport,
    wires,
    pathOf: wirePath,
    translated: (request) => ({ body: requestBody(request, streamUsage) }),
    added: { usage: streamUsage },
    priceOf: (model) => priceOf(settings, model),
    alwaysEnds: settings.finishReasons !== 'sometimes',
    structuredOutput: settings.structuredOutput,
  }
  return {
    name,
    speaks: new Set(wires.map(({ api }) => api)),
    takesSchema: true,
    call: (request, options) => new WireCall(provider, request, options),
    passes: (path) => !path.startsWith('/messages/'),
    pass: passer(transport, (path, body) => pathOf(path, body.model)),
    probe: prober(transport, pathStyle === 'azure' ? '/openai/models' : '/models'),
    close: () => transport.close(),
  }
}

function requestBody(request: ChatRequest, streamUsage: boolean): string {
  const stream = request.stream === true
  if (!stream && request.stream_options === undefined) return asJson(request)
  const { stream_options: given, ...fields } = request
  if (!stream || !streamUsage) return asJson(fields)
  const options = typeof given === 'object' && given !== null ? { ...given, include_usage: true } : { include_usage: true }
  return asJson({ ...fields, stream_options: options })
}

/** A 64-bit seed keeps all its digits, which JSON.stringify cannot do. */
function asJson(request: Readonly<Record<string, unknown>>): string {
  const { seed } = request
  if (typeof seed !== 'bigint') return JSON.stringify(request)
  return `${JSON.stringify({ ...request, seed: undefined }).slice(0, -1)},"seed":${seed}}`
}

/** The name of a model may come from a client, so it must not reach another path. */
function deploymentPath(model: unknown): string {
  if (typeof model !== 'string' || !/^[\w.:@-]{1,200}$/.test(model) || /^\.+$/.test(model)) {
    throw new RunnerFailure('http', 'there is no deployment with that name', { status: 404 })
  }
  return `/openai/deployments/${encodeURIComponent(model)}`
}
