import { ConfigurationError, RunnerFailure } from '@stickler/core'
import { ComposedParameters, chatWire, type ParameterTerms, responsesWire, type Wire, without } from '@stickler/core/internal/apis'
import { WireCall, type WireProvider } from '@stickler/core/internal/relay'
import { type Prices, priceOf } from '../prices.ts'
import { passer } from '../transport/pass.ts'
import { prober } from '../transport/probe.ts'
import { createTransport, type TransportPorts, type TransportSettings } from '../transport/transport.ts'
import type { Upstream } from '../upstream.ts'

/** Settings of a provider with OpenAI's chat completions API. */
export interface OpenAiUpstreamSettings extends TransportSettings, Prices, Pick<ParameterTerms, 'provider' | 'takes'> {
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
    parameters: new ComposedParameters({ api: chatWire.api, ...settings }),
    translated: (request) => ({ body: streamUsage && request.stream === true ? request : without(request, streamOptions) }),
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

/** What only streams have, and not every provider understands. */
const streamOptions: ReadonlySet<string> = new Set(['stream_options'])

/** The name of a model may come from a client, so it must not reach another path. */
function deploymentPath(model: unknown): string {
  if (typeof model !== 'string' || !/^[\w.:@-]{1,200}$/.test(model) || /^\.+$/.test(model)) {
    throw new RunnerFailure('http', 'there is no deployment with that name', { status: 404 })
  }
  return `/openai/deployments/${encodeURIComponent(model)}`
}
