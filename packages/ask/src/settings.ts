import type { Clock, TraceListener } from '@stickler/core'
import type { Executor } from '@stickler/core/internal'
import type { CacheSettings, CostLimits } from '@stickler/presets/internal'
import type { AnswerCache, AskProvider, AuditLog, SharedLedger, SpendLedger } from './ports.ts'
import type { AskPipeline } from './providers/ask-pipeline.ts'

/** How questions are answered. */
export interface AskSettings {
  /**
   * Called in this order: the next one only when the previous one cannot be reached, fails, or
   * takes too long.
   */
  readonly providers: readonly AskProvider[]
  readonly limits?: Partial<CostLimits>
  /** When answers are cached by default; requests may ask for it too. */
  readonly caching?: CacheSettings
  /**
   * Whether a stream shows text that is proven safe before the verdict; otherwise nothing is shown
   * before it. When absent, only with the pipeline.
   */
  readonly live?: boolean
  /** Texts that the audit stores; hashes are always stored. */
  readonly keep?: { readonly answer?: boolean; readonly question?: boolean }
  /** Where valid answers are cached; in memory when absent. */
  readonly answers?: AnswerCache
  /** In memory when absent. */
  readonly audit?: AuditLog
  /** In memory when absent. */
  readonly ledger?: SpendLedger | SharedLedger
  /** Dollars that running calls may still cost, by tenant; shared by services with one budget. */
  readonly reserved?: Map<string, number>
  readonly clock?: Clock
  /** Milliseconds since 1970. */
  readonly today?: () => number
  /** Called with the events of the runs. */
  readonly onEvent?: TraceListener
  /** Checks large answers elsewhere. */
  readonly executor?: Executor
  /** The pipeline for requests with a type, or without sources; without it both are rejected. */
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
  readonly ledger: SharedLedger
  readonly clock: Clock
  readonly today: () => number
  readonly onEvent: TraceListener | undefined
  readonly executor: Executor | undefined
  readonly pipeline: AskPipeline | undefined
}
