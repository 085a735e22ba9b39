import type { Runner } from '@stickler/core'
import type { Price } from '@stickler/core/internal/apis'
import type { AuditRow, DaySpend } from '@stickler/presets/internal'
import type { Capabilities } from './providers/capabilities.ts'
import type { Determinism } from './question/determinism.ts'

/**
 * Thrown by a port that cannot work; its message is shown to the caller, so it must not contain
 * secrets.
 */
export class PortUnavailable extends Error {
  override readonly name = 'PortUnavailable'
}

/** The parameters for making a runner. */
export interface AskKnobs extends Determinism {
  readonly model: string
  /** Most tokens of the answer. */
  readonly maxTokens: number
}

/** A provider that can answer questions. */
export interface AskProvider {
  /** Its name in replies, such as `openai`; sets its default capabilities. */
  readonly name: string
  readonly model: string
  /**
   * A unique name where several share `name`: a question may choose by both; answers are cached and
   * audited under this one.
   */
  readonly alias?: string
  /** The runner, or a function that makes one with the knobs that the provider takes. */
  readonly runner: Runner | ((knobs: AskKnobs) => Runner)
  /** The provider's capabilities, overriding the defaults of its name. */
  readonly capabilities?: Partial<Capabilities>
  /** Dollars per million tokens, for the expected cost of a call. */
  readonly price?: Price
  /**
   * Additional models that a question may name, each with its price; other names are rejected. When
   * absent, only a provider without a price takes any name.
   */
  readonly models?: ReadonlyMap<string, Price>
}

/** A cached answer. */
export interface CachedAnswer {
  readonly text: string
  /** The sources in their order: markers count them, so an answer fits no other order. */
  readonly sources: readonly string[]
}

/** Caches valid answers for a time. */
export interface AnswerCache {
  get(key: string): Promise<CachedAnswer | undefined>
  set(key: string, answer: CachedAnswer, ttlSeconds: number): Promise<void>
}

/** Takes one row for every question, before its reply. */
export interface AuditLog {
  write(row: AuditRow): Promise<void>
}

/** What a call costs. */
export interface CallCost {
  /** Dollars that it costs in any case. */
  readonly leastUsd: number
  readonly mostUsd: number
}

/** What is set aside for a running call. */
export interface SpendHold {
  /** Counts what the call cost, in place of what was set aside. */
  settle(costUsd: number): Promise<void>
}

/** Counts and reserves what each tenant spends on a day, for all services that share it. */
export interface SharedLedger {
  /**
   * Sets aside what a call can cost at most, if that fits into the cap; a call that runs alone need
   * only fit with its least. Otherwise returns what is spent and reserved.
   */
  hold(tenant: string, call: CallCost, capUsd: number | undefined, nowMs: number): Promise<SpendHold | DaySpend>
}

/** Stores what each tenant has spent on a day; what running calls may still cost is known to one service only. */
export interface SpendLedger {
  /** What was spent on the day of that moment. */
  read(tenant: string, nowMs: number): Promise<DaySpend | undefined>
  add(tenant: string, costUsd: number, nowMs: number): Promise<void>
}
