import type { ConfigValue } from '../schema/config-schema.ts'
import { usualKeys, usualOperatorKeys } from './usual-variables.ts'

/**
 * The environment variables with the gateway's own secrets, which a command gets only when its own
 * `env` names them.
 */
export function gatewayVariables({
  server,
  store,
  upstreams,
  retrieval,
}: Pick<ConfigValue, 'server' | 'store' | 'upstreams' | 'retrieval'>): string[] {
  const ofUpstreams = upstreams.flatMap(({ apiKeyEnv, headersEnv = {} }) => [apiKeyEnv, ...Object.values(headersEnv)])
  const ofRetrieval = [retrieval?.indexEnv, typeof retrieval?.embeddings === 'object' ? retrieval.embeddings.apiKeyEnv : undefined]
  return [usualKeys, usualOperatorKeys, server.keysEnv, server.operatorKeysEnv, store.urlEnv, ...ofUpstreams, ...ofRetrieval].filter(
    (name) => name !== undefined,
  )
}
