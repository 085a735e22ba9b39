import { type Fields, isFields } from '../../answer/tool-shapes/fields.ts'
import type { RunnerFailure } from '../../engine/runner-failure.ts'
import { errorIn, errorMessage } from '../shared/provider-error.ts'
import type { ApiName } from '../shared/wire.ts'
import { familyOf, type ModelFamily, type TokenLimit } from './model-families.ts'

/** What a request of our own wants of a model, in the words of no API. */
export interface ModelParameters {
  /** Most tokens of the answer. */
  readonly maxTokens?: number | undefined
  readonly temperature?: number | undefined
  /** Of any size: it is sent within the range that the model takes. */
  readonly seed?: bigint | number | undefined
}

/** Those of the parameters that a caller asked for by name: they are sent whatever the model takes, a seed within its range. */
export type AskedParameters = ReadonlySet<'temperature' | 'seed'>

/** Where models are called, and what is known about it. */
export interface ParameterTerms {
  readonly api: ApiName
  readonly baseUrl: string
  /** The name of the provider, where it is known. */
  readonly provider?: string | undefined
  /** Whether its models take these parameters, where that differs from the table. */
  readonly takes?: { readonly temperature?: boolean | undefined; readonly seed?: boolean | undefined } | undefined
}

/** Fields for a request, and the names of those that the model can do without. */
interface ComposedFields {
  readonly fields: Fields
  readonly ours: readonly string[]
}

/** The fields of a request that a provider may refuse without refusing what a client has sent. */
export interface SentFields {
  /** Nobody has asked for these: they may be left out. */
  readonly ours: readonly string[]
  /** A token limit of the client, under the name that the model takes: it may be named otherwise. */
  readonly renamed?: TokenLimit | undefined
}

/** The field of each API for a schema. */
export const schemaFields: Readonly<Record<string, string>> = {
  chat: 'response_format',
  messages: 'output_config.format',
  responses: 'text.format',
}

/** Names of the fields that are added to requests. */
export const sentParameters: ReadonlySet<string> = new Set([
  ...['max_tokens', 'max_completion_tokens', 'max_output_tokens', 'temperature', 'seed', 'random_seed', 'stream_options'],
  ...Object.values(schemaFields),
])

/** Fields with which every model takes what it takes at all. */
const plainFields: ReadonlySet<string> = new Set([
  ...['model', 'messages', 'input', 'system', 'instructions', 'stream', 'stream_options'],
  ...['max_tokens', 'max_completion_tokens', 'max_output_tokens', 'temperature', 'top_p', 'seed', 'stop', 'stop_sequences'],
])

/** More models are forgotten, the longest known first. */
const mostModels = 1000

const noneAsked: AskedParameters = new Set()

/** What is added to the requests for one provider: as the table of families says, without what its models have refused. */
export class ComposedParameters {
  readonly #terms: ParameterTerms
  /** Name and host of the provider. */
  readonly #provider: string
  /** By model, the fields that it has refused. */
  #refused = new Map<string, Set<string>>()
  /** What one call goes without, and whether the model may refuse it always: not what a later refusal names again. */
  #tried: ReadonlyMap<string, boolean> = new Map()

  constructor(terms: ParameterTerms) {
    const { provider = '', baseUrl } = terms
    this.#terms = terms
    this.#provider = `${provider} ${URL.canParse(baseUrl) ? new URL(baseUrl).hostname : ''}`
  }

  /** Whether a model has not refused a field. */
  accepts(model: string, field: string): boolean {
    return !this.#tried.has(field) && this.#refused.get(model)?.has(field) !== true
  }

  /** The parameters as a model takes them. */
  compose(model: string, { maxTokens, temperature, seed }: ModelParameters, asked = noneAsked): ComposedFields {
    const { api, takes = {} } = this.#terms
    const family = this.#family(model)
    const fields: Record<string, unknown> = {}
    const ours: string[] = []
    const add = (name: string, value: unknown, isTaken: boolean, isAsked: boolean): void => {
      if (!isAsked && !(isTaken && this.accepts(model, name))) return
      fields[name] = value
      if (!isAsked) ours.push(name)
    }
    if (maxTokens !== undefined) {
      const limit = this.limit(model)
      const other = otherNames.get(limit)
      // It bounds what the call costs: it may get its other name once, and is never left out.
      add(limit, maxTokens, true, api !== 'chat' || other === undefined || !this.accepts(model, other))
    }
    if (temperature !== undefined) {
      const highest = takes.temperature === true ? 2 : family.temperature
      const isAsked = asked.has('temperature')
      add('temperature', isAsked ? temperature : Math.min(temperature, highest ?? 0), takes.temperature ?? highest !== undefined, isAsked)
    }
    const { name, bits } = family.seed ?? { name: 'seed', bits: 63 }
    if (seed !== undefined && api === 'chat') {
      add(name, within(seed, bits), takes.seed ?? family.seed !== undefined, asked.has('seed'))
    }
    return { fields, ours }
  }

  /** The name of the token limit. */
  limit(model: string): TokenLimit {
    const { limit } = this.#family(model)
    const other = otherNames.get(limit)
    return other !== undefined && !this.accepts(model, limit) && this.accepts(model, other) ? other : limit
  }

  /** The parameters for the same request without the field of ours that a failure names; undefined when it may not succeed then. */
  without(model: string, { ours, renamed }: SentFields, failure: RunnerFailure): ComposedParameters | undefined {
    const refusal = readRefusal(failure)
    if (refusal === undefined) return undefined
    const { param, words } = refusal
    const other = renamed && otherNames.get(renamed)
    const isWhole = (name: string): boolean =>
      param === undefined ? words.includes(name) || isPartOf(words[0] ?? '', name) : isPartOf(param, name)
    const named = (name: string): boolean => isWhole(name) || (param === undefined ? words : [param]).some((word) => isPartOf(name, word))
    const isRenamed = other !== undefined && words.includes(other) && (param === undefined || param === renamed)
    const name = ours.find(named) ?? (isRenamed ? renamed : undefined)
    if (name === undefined || !this.accepts(model, name)) return undefined
    const next = new ComposedParameters(this.#terms)
    next.#refused = this.#refused
    const tried = new Map([...this.#tried].map(([one, isMeant]) => [one, isMeant && !named(one)] as const))
    // A part of a field may be refused of this request alone.
    next.#tried = tried.set(name, isWhole(name))
    return next
  }

  /**
   * Remembers what an accepted request went without, if the client has sent nothing else that could be the reason: others may send no such thing, and
   * what a refusal says may be its words.
   */
  keep(model: string, client: Fields = {}): void {
    if (this.#tried.size === 0) return
    for (const name of Object.keys(client)) if (client[name] !== undefined && !plainFields.has(name)) return
    const known = this.#refused.get(model) ?? new Set()
    for (const [name, isMeant] of this.#tried) if (isMeant) known.add(name)
    this.#refused.delete(model)
    this.#refused.set(model, known)
    const [oldest] = this.#refused.keys()
    if (this.#refused.size > mostModels && oldest !== undefined) this.#refused.delete(oldest)
  }

  #family(model: string): ModelFamily {
    return familyOf(this.#terms.api, this.#provider, model)
  }
}

/** What else a token limit may be called. */
const otherNames: ReadonlyMap<TokenLimit, TokenLimit> = new Map([
  ['max_tokens', 'max_completion_tokens'],
  ['max_completion_tokens', 'max_tokens'],
])

/** A seed within so many bits and a sign: as it is where it fits, else its last bits. */
function within(seed: bigint | number, bits: number): bigint {
  const whole = BigInt(seed)
  return BigInt.asIntN(bits + 1, whole) === whole ? whole : BigInt.asUintN(bits, whole)
}

/** Whether a name is that of a field or of a part of it. */
function isPartOf(field: string, name: string): boolean {
  return name === field || name.startsWith(`${field}.`)
}

/** What a provider says when it refuses a request: the field that it names as its `param`, and all words. */
function readRefusal({ kind, details: { status, body = '' } }: RunnerFailure) {
  if (kind !== 'http' || (status !== 400 && status !== 422)) return undefined
  const said = errorIn(body)
  const { param } = isFields(said) && isFields(said.error) ? said.error : isFields(said) ? said : {}
  const words = `${errorMessage(said) ?? ''} ${body}`.split(/[^\w.]+/).flatMap((word) => word.replace(/\.$/, '') || [])
  return { param: typeof param === 'string' && param !== '' ? param : undefined, words }
}

/** The JSON of a request, in which large integers keep all their digits. */
export function requestJson(fields: Fields): string {
  const large = Object.entries(fields).filter(([, value]) => typeof value === 'bigint')
  if (large.length === 0) return JSON.stringify(fields)
  const others = JSON.stringify({ ...fields, ...Object.fromEntries(large.map(([name]) => [name, undefined])) })
  const written = large.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join()
  return others === '{}' ? `{${written}}` : `${others.slice(0, -1)},${written}}`
}
