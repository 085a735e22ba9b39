import type { Clock, TraceListener } from '@stickler/core'
import type { Executor } from '@stickler/core/remote'
import type { CacheSettings } from './cache/cache-policy.ts'
import type { AnswerCache, AskProvider, AuditLog, SpendLedger } from './ports.ts'
import type { AskPipeline } from './providers/ask-pipeline.ts'
import type { CostLimits } from './spending/cost-guard.ts'

/** How questions are answered. */
export interface AskSettings {
  /** Asked in this order: the next one only when the one before cannot be reached, fails, or takes too long. */
  readonly providers: readonly AskProvider[]
  readonly limits?: Partial<CostLimits>
  /** When answers are kept by themselves; requests may ask for it too. */
  readonly caching?: CacheSettings
  /** Whether a stream shows what is proven safe before the verdict; otherwise nothing is shown before it. When absent, only with the pipeline. */
  readonly live?: boolean
  /** Texts that the audit keeps; hashes are always kept. */
  readonly keep?: { readonly answer?: boolean; readonly question?: boolean }
  /** Where valid answers are kept; in memory when absent. */
  readonly answers?: AnswerCache
  /** In memory when absent. */
  readonly audit?: AuditLog
  /** In memory when absent. */
  readonly ledger?: SpendLedger
  /** Dollars that calls which are going on may still cost, by tenant; shared by services that spend from one budget. */
  readonly reserved?: Map<string, number>
  readonly clock?: Clock
  /** Milliseconds since 1970. */
  readonly today?: () => number
  /** Hears what happens in the runs. */
  readonly onEvent?: TraceListener
  /** Checks large answers in another place. */
  readonly executor?: Executor
  /** What requests with a type, or without sources, go through; without it both are refused. */
  readonly pipeline?: AskPipeline
}

/** Everything that answering a question needs, with the defaults filled in. */
export interface AskDependencies {
  readonly providers: readonly AskProvider[]
  readonly limits: CostLimits
  readonly caching: CacheSettings
  readonly live: boolean | undefined
  readonly keep: { readonly answer?: boolean; readonly question?: boolean }
  readonly answers: AnswerCache
  readonly audit: AuditLog
  readonly ledger: SpendLedger
  /** Dollars that calls which are going on may still cost, by tenant. */
  readonly reserved: Map<string, number>
  readonly clock: Clock
  readonly today: () => number
  readonly onEvent: TraceListener | undefined
  readonly executor: Executor | undefined
  readonly pipeline: AskPipeline | undefined
}
