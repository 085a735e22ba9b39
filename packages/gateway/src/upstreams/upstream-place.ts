import type { UpstreamConfig } from './kinds/upstream-kind.ts'

/** The address of an upstream, in the terms of OpenTelemetry's conventions. */
export interface UpstreamPlace {
  /** Name of the upstream. */
  readonly upstream: string
  /** Such as `openai`, `anthropic` or `azure.ai.openai`. */
  readonly provider: string
  readonly address?: string
  readonly port?: number
}

/** The configuration of an upstream; its settings may have an address. */
type Located = Pick<UpstreamConfig, 'name' | 'provider'> & { readonly settings: Readonly<Record<string, unknown>> }

/** Common spellings, with the conventions' name for each. */
const wellKnown: ReadonlyMap<string, string> = new Map([
  ['azure', 'azure.ai.openai'],
  ['bedrock', 'aws.bedrock'],
  ['gemini', 'gcp.gemini'],
  ['google', 'gcp.gemini'],
  ['grok', 'x_ai'],
  ['mistral', 'mistral_ai'],
  ['vertex', 'gcp.vertex_ai'],
  ['watsonx', 'ibm.watsonx.ai'],
  ['xai', 'x_ai'],
])

/** Many providers have OpenAI's API; the end of their host identifies them. */
const hosts: readonly (readonly [string, string])[] = [
  ['.openai.azure.com', 'azure.ai.openai'],
  ['.services.ai.azure.com', 'azure.ai.inference'],
  ['.amazonaws.com', 'aws.bedrock'],
  ['api.mistral.ai', 'mistral_ai'],
  ['api.groq.com', 'groq'],
  ['api.deepseek.com', 'deepseek'],
  ['api.x.ai', 'x_ai'],
  ['api.perplexity.ai', 'perplexity'],
  ['api.cohere.ai', 'cohere'],
  ['api.cohere.com', 'cohere'],
  ['generativelanguage.googleapis.com', 'gcp.gemini'],
  ['aiplatform.googleapis.com', 'gcp.vertex_ai'],
]

/** Returns where an upstream is. */
export function placeOf({ name, provider, settings: { pathStyle, baseUrl } }: Located): UpstreamPlace {
  const url = typeof baseUrl === 'string' && URL.canParse(baseUrl) ? new URL(baseUrl) : undefined
  const known = wellKnown.get(provider) ?? (provider === 'openai' ? speakingAsOpenAi(url?.hostname ?? '', pathStyle) : provider)
  if (url === undefined) return { upstream: name, provider: known }
  const address = url.hostname.replace(/^\[(.*)\]$/, '$1')
  return { upstream: name, provider: known, address, port: url.port === '' ? (url.protocol === 'http:' ? 80 : 443) : Number(url.port) }
}

function speakingAsOpenAi(host: string, pathStyle: unknown): string {
  if (pathStyle === 'azure') return 'azure.ai.openai'
  return hosts.find(([end]) => host === end || host.endsWith(end.startsWith('.') ? end : `.${end}`))?.[1] ?? 'openai'
}
