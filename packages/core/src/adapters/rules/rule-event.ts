import type { BreakerState } from '../breaker.ts'

/** What happens at rules outside of this process. */
export type RuleEvent =
  /** With a scope, one caller alone meets this state. */
  | { readonly type: 'circuit'; readonly rule: string; readonly state: BreakerState; readonly scope?: 'caller' | undefined }
  /** A process failed or was ended; `stderr` is the end of its error stream. */
  | { readonly type: 'process'; readonly rule: string; readonly reason: string; readonly stderr: string; readonly exitCode?: number }

/** Called with what happens; exceptions are ignored. */
export type RuleListener = (event: RuleEvent) => void
