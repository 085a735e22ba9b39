import { readIndexAddress } from '@stickler/ask/internal/config'
import { ConfigurationError, type ConfigurationProblem } from '@stickler/core'
import { isFields, wrongHeaderValue } from '@stickler/core/internal'
import { memberOf, notSet, recordsOf, rulesIn, textsOf } from '@stickler/node/internal/config'
import { parserSchema, parserSettings } from '@stickler/parser/internal/config'
import { isLoopback } from '../../front/access/hosts.ts'
import { createKeyring, type KeyTexts } from '../../front/access/keys.ts'
import { readStoreUrl } from '../../records/store-url.ts'
import { complaintsOf } from '../../upstreams/settings/configuration-problems.ts'
import { type Environment, fromEnvironment } from '../../upstreams/settings/environment.ts'
import { usualKeys, usualOperatorKeys } from './usual-variables.ts'

type Path = readonly (string | number)[]

/**
 * Finds environment variables of a configuration that are missing or invalid; values are never
 * repeated.
 */
export function checkEnvironment(data: unknown, env: Environment): ConfigurationProblem[] {
  const look = (
    name: unknown,
    path: Path,
    absent: readonly string[],
    wrong: (value: string) => readonly string[],
  ): ConfigurationProblem[] => {
    // The schema reports invalid names.
    if (typeof name !== 'string' || !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return []
    const value = fromEnvironment(env, name)
    return (value === undefined ? absent : wrong(value)).map((message) => ({ message, path }))
  }
  const need = (name: unknown, path: Path, wrong: (value: string) => readonly string[]) => look(name, path, [notSet(String(name))], wrong)
  // A local model seldom needs a key.
  const key = (name: unknown, baseUrl: unknown, path: Path) =>
    look(name, path, isOnThisMachine(baseUrl) ? [] : [notSet(String(name))], (value) => wrongValue(String(name), value))
  const retrieval = memberOf(data, 'retrieval')
  const embeddings = memberOf(retrieval, 'embeddings')
  const server = memberOf(data, 'server')
  const keysName = memberOf(server, 'keysEnv') ?? usualKeys
  const operatorsName = memberOf(server, 'operatorKeysEnv') ?? usualOperatorKeys
  const clients = (typeof keysName === 'string' && fromEnvironment(env, keysName)) || ''
  const complain = (name: unknown, texts: KeyTexts): string[] =>
    complaintsOf(() => createKeyring(texts, () => 0)).map((message) => `in ${String(name)}, ${message}`)
  return [
    // Without keys the gateway listens on this machine only, so they may be missing.
    ...look(keysName, ['server', 'keysEnv'], [], (value) => complain(keysName, { clients: value })),
    ...look(operatorsName, ['server', 'operatorKeysEnv'], [], (value) => {
      const alone = complain(operatorsName, { clients: '', operators: value })
      // Problems with client keys are already reported.
      const isSound = complain(keysName, { clients }).length === 0
      return alone.length > 0 || !isSound ? alone : complain(operatorsName, { clients, operators: value })
    }),
    ...checkParser(memberOf(data, 'parser'), env),
    ...need(memberOf(retrieval, 'indexEnv'), ['retrieval', 'indexEnv'], (value) => complaintsOf(() => readIndexAddress(value))),
    ...key(memberOf(embeddings, 'apiKeyEnv'), memberOf(embeddings, 'baseUrl'), ['retrieval', 'embeddings', 'apiKeyEnv']),
    ...need(memberOf(memberOf(data, 'store'), 'urlEnv'), ['store', 'urlEnv'], (value) => complaintsOf(() => readStoreUrl(value))),
    ...recordsOf(memberOf(data, 'upstreams')).flatMap(([index, { apiKeyEnv, headersEnv, baseUrl, env: passed }]) => [
      ...key(apiKeyEnv, baseUrl, ['upstreams', index, 'apiKeyEnv']),
      ...Object.entries(isFields(headersEnv) ? headersEnv : {}).flatMap(([header, name]) =>
        need(name, ['upstreams', index, 'headersEnv', header], (value) => wrongValue(String(name), value)),
      ),
      ...textsOf(passed).flatMap(([at, name]) => need(name, ['upstreams', index, 'env', at], () => [])),
    ]),
    ...rulesIn(memberOf(data, 'contracts')).flatMap(([path, { keyEnv, headersEnv, env: passed }]) => [
      ...need(keyEnv, [...path, 'keyEnv'], (value) => wrongValue(String(keyEnv), value)),
      ...Object.entries(isFields(headersEnv) ? headersEnv : {}).flatMap(([header, name]) =>
        need(name, [...path, 'headersEnv', header], (value) => wrongValue(String(name), value)),
      ),
      ...textsOf(passed).flatMap(([at, name]) => need(name, [...path, 'env', at], () => [])),
    ]),
  ]
}

/** Problems with the parser beyond the schema: its variables, and conflicting settings. */
function checkParser(written: unknown, env: Environment): ConfigurationProblem[] {
  const { data } = parserSchema.safeParse(written)
  try {
    parserSettings(data, { env, folder: '' })
    return []
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    return error.problems.map(({ path, message }) => ({ path, message }))
  }
}

function isOnThisMachine(baseUrl: unknown): boolean {
  return typeof baseUrl === 'string' && URL.canParse(baseUrl) && isLoopback(new URL(baseUrl).hostname)
}

function wrongValue(name: string, value: string): string[] {
  const wrong = wrongHeaderValue(value)
  return wrong === undefined ? [] : [`the environment variable ${name} ${wrong}`]
}
