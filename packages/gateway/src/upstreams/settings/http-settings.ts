import { alwaysTellsFinish, headersEnvSchema, headersSchema } from '@stickler/core/internal'
import * as z from 'zod'
import type { ResolvedKeys, UpstreamConfig } from '../kinds/upstream-kind.ts'
import { shownUrl } from './base-url.ts'
import { defined } from './defined.ts'
import { type Environment, fromEnvironment } from './environment.ts'
import { secretsOf } from './provider-headers.ts'
import { durationSchema, environmentName } from './scalars.ts'
import type { HttpUpstreamConfig } from './upstream-config.ts'
import { sharedKeys } from './written-upstream.ts'

const { model, models, provider, capabilities, price, answerLimit, total } = sharedKeys

/** Keys of every upstream with an address. */
export const httpKeys = {
  apiKeyEnv: environmentName.optional().describe('The environment variable that holds the key.'),
  model,
  models,
  provider,
  capabilities,
  price,
  answerLimit,
  retries: z.int().min(0).max(10).default(2).describe('Maximum repeats of a call that failed in transport.'),
  headers: headersSchema.optional().describe('Additional headers without secrets.'),
  headersEnv: headersEnvSchema.optional().describe('Additional headers, each with the environment variable that holds its value.'),
  timeouts: z
    .strictObject({
      firstByte: durationSchema.optional().describe('Seconds until the answer starts.'),
      idle: durationSchema.optional().describe('Seconds between two chunks of the answer.'),
      total,
    })
    .optional(),
} as const

const httpSchema = z.strictObject({ baseUrl: z.string(), ...httpKeys })

/** The configuration of an upstream with an address. */
type WrittenHttp = Readonly<z.output<typeof httpSchema>>

/** Fills in an upstream with an address. */
export function resolveHttp(written: WrittenHttp, env: Environment): ResolvedKeys<HttpUpstreamConfig> {
  const { retries, answerLimit, headers = {}, headersEnv = {}, apiKeyEnv, timeouts = {} } = written
  const shown = shownUrl(written.baseUrl)
  const { firstByte, idle, total } = timeouts
  const fromVariables = Object.entries(headersEnv).map(([name, variable]) => [name, fromEnvironment(env, variable) ?? ''])
  const apiKey = apiKeyEnv === undefined ? undefined : fromEnvironment(env, apiKeyEnv)
  return {
    open: {
      shown,
      retries,
      answerLimit,
      timeouts: defined({ firstByteMs: firstByte, idleMs: idle, totalMs: total }),
    },
    secrets: {
      // The displayed form is enough, unless it hides a query.
      baseUrl: shown.includes('?') ? written.baseUrl : shown,
      headers: { ...headers, ...Object.fromEntries(fromVariables) } as Readonly<Record<string, string>>,
      ...(apiKey === undefined ? {} : { apiKey }),
    },
  }
}

/** All secrets of an upstream with an address. */
export function httpSecrets({ apiKey, headers, baseUrl, shown }: HttpUpstreamConfig): string[] {
  const own = secretsOf({ headers, ...(apiKey === undefined ? {} : { apiKey }) }, new URL(baseUrl).search)
  return baseUrl === shown ? own : [...own, baseUrl, ...credentialsIn(baseUrl)]
}

/** The password in an address, encoded and decoded. */
export function credentialsIn(url: string): string[] {
  const { password } = new URL(url)
  try {
    return [password, decodeURIComponent(password)]
  } catch {
    return [password]
  }
}

/** The settings of every upstream with an address. */
export function httpSettings(config: HttpUpstreamConfig) {
  const { name, kind, baseUrl, provider, headers, timeouts, retries, apiKey, price, models, listed, answerLimit: maxResponseBytes } = config
  const { temperature, seed } = config.capabilities
  const known = defined({ apiKey, price, models, listed, takes: defined({ temperature, seed }) })
  return {
    kind,
    name,
    baseUrl,
    provider,
    headers,
    timeouts,
    maxResponseBytes,
    retry: { retries },
    finishReasons: finishReasonsOf(config),
    ...known,
  }
}

/** The advice of `stickler doctor` when an address does not respond. */
export const httpAdvice = 'check its baseUrl, its key and the network'

/** Whether an upstream sends a finish reason with every answer: as configured, else by its provider's name. */
function finishReasonsOf({ provider, capabilities }: Pick<UpstreamConfig, 'provider' | 'capabilities'>): 'always' | 'sometimes' {
  return (capabilities.finishReason ?? alwaysTellsFinish(provider)) ? 'always' : 'sometimes'
}
