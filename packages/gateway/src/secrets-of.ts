import type { GatewayConfig } from './config/gateway-config.ts'

const shortestKey = 8

/** Everything in a configuration that must never be repeated. */
export function secretsOf({ server, store, upstreams }: GatewayConfig): string[] {
  const ofUpstreams = upstreams.flatMap((upstream) => {
    if (upstream.kind !== 'openai' && upstream.kind !== 'anthropic') return []
    const { apiKey, headers, baseUrl, shown } = upstream
    return [...(apiKey === undefined ? [] : [apiKey]), ...Object.values(headers), ...(baseUrl === shown ? [] : [baseUrl])]
  })
  const keys = server.keys.split(/[,\n:]/).filter((part) => part.length >= shortestKey)
  return [...ofUpstreams, ...keys, ...(store.url === store.shown ? [] : [store.url])].filter((secret) => secret !== '')
}
