import { ConfigurationError, type ConfigurationProblem } from '@stickler/core'
import { partsOf, valueAt, wrongHeaderValue } from '@stickler/core/internal'
import { notSet, rulesIn } from '@stickler/node/internal/config'
import { parserSchema, parserSettings } from '@stickler/parser/internal/config'
import type { ZodType } from 'zod'
import { isLoopback } from '../../front/access/hosts.ts'
import { createKeyring, type KeyTexts } from '../../front/access/keys.ts'
import { upstreamKinds } from '../../upstreams/kinds/index.ts'
import { complaintsOf } from '../../upstreams/settings/configuration-problems.ts'
import { type Environment, fromEnvironment } from '../../upstreams/settings/environment.ts'
import { variables } from '../../upstreams/settings/scalars.ts'
import { type ConfigSchema, type ConfigValue, configSchemaOf } from './config-schema.ts'

/** A variable that `apiKeyEnv` names and that is not set. */
export interface UnsetKey {
  /** `upstream NAME`, or `embeddings`. */
  readonly of: string
  readonly variable: string
}

/** The default variable for client keys. */
export const usualKeys = 'STICKLER_KEYS'

/** The default variable for operator keys. */
export const usualOperatorKeys = 'STICKLER_OPERATOR_KEYS'

/** The environment variables that plain data names, each with its place. */
function variablesIn(...[schema, data, at]: Parameters<typeof partsOf>) {
  return [...partsOf(schema, data, at)].flatMap(({ schema: one, value: name, path, within }) => {
    const terms = variables.get(one)
    return terms === undefined || typeof name !== 'string'
      ? []
      : [{ name, terms, path, within, isPassedOn: typeof path.at(-1) === 'number' }]
  })
}

/**
 * The environment variables with the gateway's own secrets, which a command gets only when its own
 * `env` names them.
 */
export function gatewayVariables(value: Omit<ConfigValue, 'contracts'>, kinds = upstreamKinds): string[] {
  const named = variablesIn(configSchemaOf(kinds), value).filter(({ isPassedOn }) => !isPassedOn)
  return [usualKeys, usualOperatorKeys, ...named.map(({ name }) => name)]
}

/** Throws for the variables of a section that are not set; for commands, which need only the sections that they use. */
export function needVariables(schema: ZodType, section: unknown, env: Environment, path: readonly string[] = []): void {
  const missing = variablesIn(schema, section, path).filter(({ name }) => fromEnvironment(env, name) === undefined)
  if (missing.length > 0) throw new ConfigurationError(missing.map((one) => ({ path: one.path, message: notSet(one.name) })))
}

/** The variables for keys of models that are not set. */
export function unsetKeys(value: Omit<ConfigValue, 'contracts'>, env: Environment, kinds = upstreamKinds): UnsetKey[] {
  return variablesIn(configSchemaOf(kinds), value)
    .filter(({ name, terms }) => terms.isModelKey && fromEnvironment(env, name) === undefined)
    .map(({ name: variable, path: [section], within }) => ({
      of: section === 'upstreams' ? `upstream ${valueAt(within, ['name'])}` : 'embeddings',
      variable,
    }))
}

/**
 * Finds environment variables of a configuration that are missing or invalid; values are never
 * repeated.
 */
export function checkEnvironment(schema: ConfigSchema, data: unknown, env: Environment): ConfigurationProblem[] {
  const ofRules = rulesIn(valueAt(data, ['contracts'])).flatMap(([path, options, own]) => variablesIn(own, options, path))
  const named = [...variablesIn(schema, data), ...ofRules].flatMap(({ name, terms, path, within, isPassedOn }) => {
    // The schema reports invalid names.
    if (terms.isKeyring || !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return []
    const value = fromEnvironment(env, name)
    // A local model seldom needs a key.
    if (value === undefined)
      return terms.isModelKey && isOnThisMachine(valueAt(within, ['baseUrl'])) ? [] : [{ message: notSet(name), path }]
    if (isPassedOn) return []
    const { read } = terms
    return (read === undefined ? wrongValue(name, value) : complaintsOf(() => read(value))).map((message) => ({ message, path }))
  })
  return [...checkKeyrings(valueAt(data, ['server']), env), ...checkParser(valueAt(data, ['parser']), env), ...named]
}

/** Without keys the gateway listens on this machine only, so they may be missing. */
function checkKeyrings(server: unknown, env: Environment): ConfigurationProblem[] {
  const textOf = (name: unknown) => (typeof name === 'string' ? fromEnvironment(env, name) : undefined)
  const complain = (key: string, name: unknown, texts: KeyTexts): ConfigurationProblem[] =>
    complaintsOf(() => createKeyring(texts, () => 0)).map((message) => ({
      message: `in ${String(name)}, ${message}`,
      path: ['server', key],
    }))
  const keysName = valueAt(server, ['keysEnv']) ?? usualKeys
  const operatorsName = valueAt(server, ['operatorKeysEnv']) ?? usualOperatorKeys
  const clients = textOf(keysName) ?? ''
  const operators = textOf(operatorsName) ?? ''
  const ofClients = complain('keysEnv', keysName, { clients })
  const ofOperators = complain('operatorKeysEnv', operatorsName, { clients: '', operators })
  // How they go together is a question only where each is right.
  if (ofClients.length > 0 || ofOperators.length > 0) return [...ofClients, ...ofOperators]
  return complain('operatorKeysEnv', operatorsName, { clients, operators })
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
