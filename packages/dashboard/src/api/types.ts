/** How a run ended. */
export type Status = 'valid' | 'repaired' | 'unresolved' | 'unchecked' | 'failed' | 'unenforced'

/** All statuses, in the order in which charts stack them. */
export const statuses: readonly Status[] = ['valid', 'repaired', 'unchecked', 'unresolved', 'failed', 'unenforced']

/** What a page needs to know once: who is looking, and which names there are. */
export interface Me {
  readonly role: 'client' | 'operator' | 'local'
  readonly key: string
  readonly keepText: boolean
  readonly version: string
  readonly now: number
  readonly features: { readonly labels: boolean; readonly evaluations: boolean }
  readonly models: readonly string[]
  readonly contracts: readonly string[]
  readonly upstreams: readonly string[]
  readonly keys?: readonly string[]
  readonly apis: readonly string[]
}

/** Sums over runs. */
export interface Totals {
  readonly runs: number
  readonly statuses: Readonly<Record<string, number>>
  readonly attempts: number
  readonly retries: number
  readonly retried: number
  readonly repairs: number
  readonly promptTokens: number
  readonly completionTokens: number
  readonly cost: number
  readonly retryTokens: number
  readonly retryCost: number
  readonly savedTokens: number
  readonly savedCost: number
  readonly p50Ms?: number
  readonly p95Ms?: number
  readonly addedP50Ms?: number
  readonly addedP95Ms?: number
  readonly firstTextP50Ms?: number
}

/** A row in which the rest of a list is summed. */
interface Foldable {
  readonly other?: boolean
}

/** Sums over a period. */
export interface Overview {
  readonly since: number
  readonly until: number
  readonly bucketMs: number
  readonly now: number
  readonly totals: Totals
  readonly before: Totals
  readonly buckets: readonly (Totals & { readonly at: number; readonly partial?: boolean })[]
  readonly models: readonly (Totals & Foldable & { readonly model: string })[]
  readonly contracts: readonly (Totals & Foldable & { readonly contract: string })[]
  readonly keys: readonly (Totals & Foldable & { readonly key: string })[]
  readonly upstreams: readonly (Totals & Foldable & { readonly upstream: string })[]
  readonly rules: readonly (Foldable & {
    readonly validator: string
    readonly code: string
    readonly runs: number
    readonly fixed: number
    readonly remaining: number
    readonly retries: number
    readonly cost: number
  })[]
  readonly repairs: readonly (Foldable & { readonly rule: string; readonly class: string; readonly count: number; readonly runs: number })[]
  readonly unchecked: readonly (Foldable & { readonly validator: string; readonly cause: string; readonly runs: number })[]
  readonly failures: readonly (Foldable & {
    readonly status: string
    readonly reason: string
    readonly failure?: string
    readonly runs: number
  })[]
  /** Set while runs wait to be counted. */
  readonly behind?: true
}

/** One run in a list. */
export interface RunRow {
  readonly id: string
  readonly requestId: string
  readonly choice: number
  readonly session?: string
  readonly at: number
  readonly ms: number
  readonly firstTextMs?: number
  readonly api: string
  readonly stream: boolean
  readonly model: string
  readonly upstream: string
  readonly upstreamModel: string
  readonly contract: string
  readonly key: string
  readonly status: string
  readonly reason: string
  readonly httpStatus: number
  readonly attempts: number
  readonly issues: number
  readonly fixed: number
  readonly repairs: number
  readonly usage: Usage
  readonly delivered?: boolean
  readonly fallback?: boolean
  readonly failure?: { readonly kind: string; readonly message: string; readonly status?: number }
  readonly codes?: readonly string[]
  readonly classes?: readonly string[]
  readonly shadow?: ShadowVerdict
  readonly label?: string
  readonly question?: string
  readonly answer?: string
}

/** What a shadow contract says of the first answer of a run, and the contract of its route of the same answer. */
export interface ShadowVerdict {
  readonly contract: string
  readonly status: string
  readonly liveStatus: string
  /** Codes that only the shadow contract found, separated by commas. */
  readonly codes: string
  /** Codes that only the contract of the route found. */
  readonly liveCodes: string
}

/** Tokens, and what they cost. */
export interface Usage {
  readonly promptTokens: number
  readonly completionTokens: number
  readonly cost?: number
  readonly estimated?: boolean
}

/** A page of a list. */
export interface Page<Item> {
  readonly items: readonly Item[]
  readonly next?: string
}

/** The state of the gateway, for operators. */
export interface GatewayState {
  readonly upstreams: readonly UpstreamState[]
  readonly keys: readonly KeyState[]
  readonly store?: Readonly<Record<string, unknown>>
  readonly parser?: { readonly kind: string; readonly url?: string; readonly state?: string } | null
  readonly uptimeMs: number
  readonly version: string
  readonly configuredAt: number
}

/** An upstream with its circuit. */
export interface UpstreamState {
  readonly name: string
  readonly kind: string
  readonly provider: string
  readonly models: readonly string[]
  readonly breaker: 'closed' | 'open' | 'half-open'
  /** When the circuit last changed. */
  readonly breakerAt?: number
  readonly calls: number
  readonly errors: number
  readonly p50Ms?: number
  readonly p95Ms?: number
  readonly lastError?: { readonly at: number; readonly kind: string; readonly status?: number }
}

/** A key with its budgets. */
export interface KeyState {
  readonly name: string
  readonly budgets: readonly Budget[]
  readonly requestsPerMinute?: number
}

/** What a key may spend in a period. */
export interface Budget {
  readonly period: string
  readonly limitTokens?: number
  readonly limitUsd?: number
  readonly usedTokens: number
  readonly usedUsd: number
  readonly heldTokens: number
  readonly heldUsd: number
  readonly resetsAt: number
}
