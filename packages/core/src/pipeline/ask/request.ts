import type { StopSignal } from '../../engine/stop.ts'
import { type CacheRequest, readCacheRequest } from './cache-policy.ts'
import { canonicalJson } from './canonical-json.ts'
import type { AskSource } from './envelope.ts'
import type { AskRefused } from './reply.ts'

/** A question over sources. */
export interface AskRequest {
  readonly question: string
  readonly sources: readonly AskSource[]
  /** Whether wrong citations are refused; true when absent. */
  readonly strict?: boolean
  /** Name of the provider; the first that is configured, and the others after it, when absent. */
  readonly provider?: string
  /** In place of the provider's model. */
  readonly model?: string
  readonly temperature?: number
  readonly seed?: bigint
  readonly cache?: CacheRequest
  /** Who asks, for the cache, the daily cost and the audit. */
  readonly tenant?: string
  readonly user?: string
  readonly role?: string
  readonly signal?: StopSignal
}

/** A request that was read, or what is wrong with it. */
export type ReadAskRequest =
  | { readonly request: AskRequest; readonly stream: boolean }
  | { readonly error: { readonly param: string; readonly message: string } }

const known = ['question', 'sources', 'strict', 'provider', 'model', 'temperature', 'seed', 'stream', 'cache']

/** What is wrong with a request that did not come as JSON, as a reply. */
export function requestFault({ question, sources }: AskRequest): AskRefused | undefined {
  const wrong = (param: string, message: string): AskRefused => ({ ok: false, status: 400, error: `${param}: ${message}`, param })
  if (typeof question !== 'string' || question.trim() === '') return wrong('question', 'must be a text that is not empty')
  if (!Array.isArray(sources)) return wrong('sources', 'must be a list of {urn, payload}')
  const bad = sources.findIndex(({ urn, payload, version = 0n } = {}) => {
    const isVersion = typeof version === 'bigint' && version >= 0n && version < 2n ** 64n
    return typeof urn !== 'string' || typeof payload !== 'string' || !isVersion
  })
  return bad < 0 ? undefined : wrong(`sources[${bad}]`, 'must have a urn and a payload that are texts, and a version of 64 bits if any')
}

class Complaint {
  readonly param: string
  readonly message: string

  constructor(param: string, message: string) {
    this.param = param
    this.message = message
  }
}

/** Reads the body of `POST /ask`; who asks is not for the body to say. */
export function readAskRequest(body: Readonly<Record<string, unknown>>): ReadAskRequest {
  try {
    const stranger = Object.keys(body).find((name) => !known.includes(name))
    if (stranger !== undefined) throw new Complaint(stranger, `is no field of a question; the fields are ${known.join(', ')}`)
    const { question, sources, strict, provider, model, temperature, seed, stream, cache } = body
    if (typeof question !== 'string' || question.trim() === '') throw new Complaint('question', 'must be a text that is not empty')
    const read = readCacheRequest(cache ?? undefined)
    if ('error' in read) throw new Complaint('cache', read.error)
    const request: AskRequest = {
      question,
      sources: readSources(sources),
      cache: read.request,
      ...optional('strict', strict, 'boolean'),
      ...optional('provider', provider, 'string'),
      ...optional('model', model, 'string'),
      ...readTemperature(temperature),
      ...readSeed(seed),
    }
    return { request, stream: optional('stream', stream, 'boolean').stream === true }
  } catch (thrown) {
    if (!(thrown instanceof Complaint)) throw thrown
    return { error: { param: thrown.param, message: thrown.message } }
  }
}

function readSources(sources: unknown): readonly AskSource[] {
  if (sources === undefined) return []
  if (!Array.isArray(sources)) throw new Complaint('sources', 'must be a list of {urn, payload}')
  return sources.map((source: unknown, index) => {
    const { urn, payload, version } = (typeof source === 'object' && source !== null ? source : {}) as Record<string, unknown>
    // Control characters separate the fields of a fingerprint.
    if (typeof urn !== 'string' || urn === '' || /\p{Cc}/u.test(urn))
      throw new Complaint(`sources[${index}].urn`, 'must be a text without control characters')
    if (payload === undefined || payload === null) throw new Complaint(`sources[${index}].payload`, 'is missing')
    const text = typeof payload === 'string' ? payload : canonicalJson(payload)
    return { urn, payload: text, ...(version === undefined ? {} : { version: readInteger(`sources[${index}].version`, version) }) }
  })
}

function readTemperature(value: unknown): { readonly temperature?: number } {
  if (value === undefined || value === null) return {}
  if (typeof value !== 'number' || !(value >= 0 && value <= 2)) throw new Complaint('temperature', 'must be a number from 0 to 2')
  return { temperature: value }
}

function readSeed(value: unknown): { readonly seed?: bigint } {
  return value === undefined || value === null ? {} : { seed: readInteger('seed', value) }
}

/** Numbers beyond what JSON numbers hold exactly are written as text. */
function readInteger(param: string, value: unknown): bigint {
  const isWhole = (typeof value === 'number' && Number.isSafeInteger(value)) || (typeof value === 'string' && /^\d{1,20}$/.test(value))
  const number = isWhole ? BigInt(value as number | string) : -1n
  if (number < 0n || number >= 2n ** 64n) throw new Complaint(param, 'must be a whole number from 0 to 2^64 - 1, as text when it is large')
  return number
}

function optional<Name extends string, Type extends 'boolean' | 'string'>(
  name: Name,
  value: unknown,
  type: Type,
): { readonly [Key in Name]?: Type extends 'boolean' ? boolean : string } {
  if (value === undefined || value === null) return {}
  if (typeof value !== type || value === '') throw new Complaint(name, type === 'boolean' ? 'must be true or false' : 'must be a text')
  return { [name]: value } as { readonly [Key in Name]?: Type extends 'boolean' ? boolean : string }
}
