import { isMaskable } from '@stickler/core/runners'
import { keySecrets } from '../../front/access/keys.ts'
import type { SecretList } from '../../records/masking/live-mask.ts'
import { secretsOf as upstreamSecrets } from '../../upstreams/transport/headers.ts'
import type { GatewayConfig, UpstreamConfig } from './gateway-config.ts'
import type { RetrievalConfig } from './retrieval-config.ts'

/** The most secrets that are remembered, those of earlier configurations included. */
const most = 5000

/** Everything in a configuration that must never be repeated; what is also a name in it is no secret. */
export function secretsOf({ server, store, upstreams, routes, contracts, retrieval }: GatewayConfig): string[] {
  const ofStore = store.url === store.shown ? [] : [store.url, ...credentialsIn(store.url)]
  const keys = [...keySecrets(server.keys), ...keySecrets(server.operatorKeys)]
  const names = new Set([
    ...keys.map(({ name }) => name),
    ...contracts.keys(),
    ...routes.map(({ model }) => model),
    ...upstreams.flatMap(({ name, provider, model = '' }) => [name, provider, model]),
  ])
  const all = [...upstreams.flatMap(ofUpstream), ...keys.map(({ secret }) => secret), ...ofStore, ...ofRetrieval(retrieval)]
  return all.filter((secret) => isMaskable(secret) && !names.has(secret))
}

/** Secrets that grow with every configuration: requests of an earlier one may still be running, and its keys may still be valid. */
export function growingSecrets(): { readonly current: SecretList; add(secrets: readonly string[]): void } {
  let known: readonly string[] = []
  return {
    current: () => known,
    add(secrets) {
      const added = new Set(secrets)
      known = [...known.filter((secret) => !added.has(secret)), ...added].slice(-most)
    },
  }
}

function ofUpstream(upstream: UpstreamConfig): string[] {
  if (upstream.kind === 'claude-cli') return secretVariables(upstream.environment)
  if (upstream.kind !== 'openai' && upstream.kind !== 'anthropic') return []
  const { apiKey, headers, baseUrl, shown } = upstream
  const { search } = new URL(baseUrl)
  const own = upstreamSecrets({ headers, ...(apiKey === undefined ? {} : { apiKey }) }, search)
  return baseUrl === shown ? own : [...own, baseUrl, ...credentialsIn(baseUrl)]
}

function ofRetrieval(retrieval: RetrievalConfig | undefined): string[] {
  if (retrieval === undefined) return []
  const { index, embeddings } = retrieval
  const ofIndex = index.url === index.shown ? [] : [index.url, ...credentialsIn(index.url)]
  if (embeddings.kind !== 'service') return ofIndex
  const { apiKey, baseUrl, shown } = embeddings
  const own = upstreamSecrets({ headers: {}, ...(apiKey === undefined ? {} : { apiKey }) }, new URL(baseUrl).search)
  return [...ofIndex, ...own, ...(baseUrl === shown ? [] : [baseUrl])]
}

/** The password of an address, as it is written there and as it is sent. */
function credentialsIn(url: string): string[] {
  const { password } = new URL(url)
  try {
    return [password, decodeURIComponent(password)]
  } catch {
    return [password]
  }
}

/** Most of an environment is harmless, and masking a language or a home folder would spoil texts. */
function secretVariables(environment: Readonly<Record<string, string>>): string[] {
  const entries = Object.entries(environment).filter(([name]) => /KEY|TOKEN|SECRET|PASS|CREDENTIAL/i.test(name))
  return entries.map(([, value]) => value)
}
