import { isMaskable } from '@stickler/core/internal'
import { keySecrets } from '../../front/access/keys.ts'
import type { SecretList } from '../../records/masking/redact.ts'
import { credentialsIn } from '../../upstreams/settings/http-settings.ts'
import { secretsOf as upstreamSecrets } from '../../upstreams/settings/provider-headers.ts'
import type { GatewayConfig } from './gateway-config.ts'
import { ruleSecrets } from './outside-rules.ts'
import type { RetrievalConfig } from './resolve-retrieval.ts'

/** Maximum number of secrets to mask, including those of earlier configurations. */
const most = 5000

/**
 * All values of a configuration that must never be repeated; a value that is also a name in it is
 * not a secret.
 */
export function secretsOf({ server, store, upstreams, routes, contracts, retrieval, rules }: GatewayConfig): string[] {
  const ofStore = store.url === store.shown ? [] : [store.url, ...credentialsIn(store.url)]
  const keys = [...keySecrets(server.keys), ...keySecrets(server.operatorKeys)]
  const names = new Set([
    ...keys.map(({ name }) => name),
    ...contracts.keys(),
    ...routes.map(({ model }) => model),
    ...upstreams.flatMap(({ name, provider, model = '' }) => [name, provider, model]),
  ])
  const all = [
    ...upstreams.flatMap(({ secrets }) => secrets),
    ...keys.map(({ secret }) => secret),
    ...ofStore,
    ...ofRetrieval(retrieval),
    ...ruleSecrets(contracts, rules),
  ]
  return all.filter((secret) => isMaskable(secret) && !names.has(secret))
}

/**
 * Secrets accumulate over configurations: requests of an earlier one may still be running, and its
 * keys may still be valid.
 */
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

function ofRetrieval(retrieval: RetrievalConfig | undefined): string[] {
  if (retrieval === undefined) return []
  const { index, embeddings } = retrieval
  const ofIndex = index.url === index.shown ? [] : [index.url, ...credentialsIn(index.url)]
  if (embeddings.kind !== 'service') return ofIndex
  const { apiKey, baseUrl, shown } = embeddings
  const own = upstreamSecrets({ headers: {}, ...(apiKey === undefined ? {} : { apiKey }) }, new URL(baseUrl).search)
  return [...ofIndex, ...own, ...(baseUrl === shown ? [] : [baseUrl])]
}
