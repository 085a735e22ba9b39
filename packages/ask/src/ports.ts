import type { Runner } from '@stickler/core'
import type { AuditRow } from './audit/audit-row.ts'
import type { Capabilities } from './providers/capabilities.ts'
import type { Determinism } from './question/determinism.ts'
import type { DaySpend } from './spending/cost-guard.ts'

/** Thrown by a port that cannot do its work; its message is told to whoever asked, so it must name no secret. */
export class PortUnavailable extends Error {
  override readonly name = 'PortUnavailable'
}

/** What a runner for a question is made with. */
export interface AskKnobs extends Determinism {
  readonly model: string
  /** Most tokens of the answer. */
  readonly maxTokens: number
}

/** Dollars per token. */
export interface AskPrice {
  readonly prompt: number
  readonly completion: number
}

/** A provider that a question can be put to. */
export interface AskProvider {
  /** Its name in replies, such as `openai`; what it can do is known by it. */
  readonly name: string
  readonly model: string
  /** The name of its own where several share `name`: a question may choose it by both, answers are kept and audited under this one. */
  readonly alias?: string
  /** The runner, or a function that makes one with the knobs that the provider takes. */
  readonly runner: Runner | ((knobs: AskKnobs) => Runner)
  /** What the provider can do, over what is known of its name. */
  readonly capabilities?: Partial<Capabilities>
  /** Dollars per token, for the cost that a call is expected to have. */
  readonly price?: AskPrice
  /** Further models that a question may name, each with its price; every other name is refused. When absent, only a provider without a price takes any name. */
  readonly models?: ReadonlyMap<string, AskPrice>
}

/** An answer as it is kept. */
export interface CachedAnswer {
  readonly text: string
  /** The sources in their order: markers count them, so an answer fits no other order. */
  readonly sources: readonly string[]
}

/** Keeps valid answers for a time. */
export interface AnswerCache {
  get(key: string): Promise<CachedAnswer | undefined>
  set(key: string, answer: CachedAnswer, ttlSeconds: number): Promise<void>
}

/** Takes one row for every question, before its reply. */
export interface AuditLog {
  write(row: AuditRow): Promise<void>
}

/** Keeps what each tenant has spent on a day. */
export interface SpendLedger {
  /** What was spent on the day of that moment. */
  read(tenant: string, nowMs: number): Promise<DaySpend | undefined>
  add(tenant: string, costUsd: number, nowMs: number): Promise<void>
}
