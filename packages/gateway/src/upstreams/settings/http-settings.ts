import { alwaysTellsFinish, defined, headersEnvSchema, headersSchema } from '@stickler/core/internal'
import * as z from 'zod'
import type { SharedConfig } from '../kinds/upstream-kind.ts'
import { listPrices } from '../list-prices.ts'
import { shownUrl } from './base-url.ts'
import { type Environment, fromEnvironment } from './environment.ts'
import { secretsOf } from './provider-headers.ts'
import { durationSchema, modelKeyName } from './scalars.ts'
import { sharedKeys } from './written-upstream.ts'

const { model, models, provider, capabilities, price, answerLimit, total } = sharedKeys

/** Keys of every upstream with an address. */
export const httpKeys = {
  apiKeyEnv: modelKeyName.exactOptional().describe('The environment variable that holds the key.'),
  model,
  models,
  provider,
  capabilities,
  price,
  answerLimit,
  retries: z.int().min(0).max(10).default(2).describe('Maximum repeats of a call that failed in transport.'),
  headers: headersSchema.exactOptional().describe('Additional headers without secrets.'),
  headersEnv: headersEnvSchema.exactOptional().describe('Additional headers, each with the environment variable that holds its value.'),
  timeouts: z
    .strictObject({
      firstByte: durationSchema.exactOptional().describe('Seconds until the answer starts.'),
      idle: durationSchema.exactOptional().describe('Seconds between two chunks of the answer.'),
      total,
    })
    .exactOptional(),
} as const

const httpSchema = z.strictObject({ baseUrl: z.string(), ...httpKeys })

/** The configuration of an upstream with an address. */
type WrittenHttp = Readonly<z.output<typeof httpSchema>>

/** Makes the settings of every upstream with an address. */
export function readHttp(written: WrittenHttp, shared: SharedConfig, env: Environment) {
  const { retries, answerLimit, headersEnv = {}, apiKeyEnv, timeouts: { firstByte, idle, total } = {} } = written
  const { kind, name, provider, capabilities, price, models } = shared
  const { temperature, seed, finishReason = alwaysTellsFinish(provider) } = capabilities
  const shown = shownUrl(written.baseUrl)
  // The displayed form is enough, unless it hides a query.
  const baseUrl = shown.includes('?') ? written.baseUrl : shown
  const fromVariables = Object.entries(headersEnv).map(([header, variable]) => [header, fromEnvironment(env, variable) ?? ''] as const)
  const headers: Readonly<Record<string, string>> = { ...written.headers, ...Object.fromEntries(fromVariables) }
  const apiKey = apiKeyEnv === undefined ? undefined : fromEnvironment(env, apiKeyEnv)
  const ofHeaders = secretsOf({ headers, ...defined({ apiKey }) }, new URL(baseUrl).search)
  return {
    shown,
    secrets: baseUrl === shown ? ofHeaders : [...ofHeaders, baseUrl, ...credentialsIn(baseUrl)],
    settings: {
      ...{ kind, name, provider, baseUrl, headers, listed: listPrices(baseUrl), maxResponseBytes: answerLimit, retry: { retries } },
      finishReasons: finishReason ? ('always' as const) : ('sometimes' as const),
      timeouts: defined({ firstByteMs: firstByte, idleMs: idle, totalMs: total }),
      ...defined({ apiKey, price, models, takes: defined({ temperature, seed }) }),
    },
  }
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

/** The advice of `stickler doctor` when an address does not respond. */
export const httpAdvice = 'check its baseUrl, its key and the network'
