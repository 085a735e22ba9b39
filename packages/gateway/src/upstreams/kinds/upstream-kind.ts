import type { Clock, Runner, RunnerFailure } from '@stickler/core'
import type { RetrySettings } from '@stickler/core/internal'
import type { BreakerSettings, BreakerState } from '@stickler/core/validators'
import type * as z from 'zod'
import type { Prices } from '../prices.ts'
import type { Environment } from '../settings/environment.ts'
import type { WrittenUpstream } from '../settings/written-upstream.ts'
import type { TransportPorts } from '../transport/transport.ts'
import type { Upstream } from '../upstream.ts'

/** How failures of an upstream are handled. */
export interface Resilience {
  readonly retry?: RetrySettings
  /** False for none. */
  readonly breaker?: BreakerSettings | false
}

/** The settings of an upstream; additional ones belong to its kind. */
export interface UpstreamSettings extends Resilience {
  readonly kind: string
  readonly name: string
  readonly [setting: string]: unknown
}

/** The I/O that upstreams are given. */
export interface UpstreamPorts {
  readonly clock?: Clock
  /** Milliseconds since 1970. */
  readonly today?: () => number
  /** A number from 0 up to 1. */
  readonly random?: () => number
  /** Settles when a large response may be read. */
  readonly turn?: TransportPorts['turn']
  /** Called when a circuit breaker opens or closes. */
  readonly onBreaker?: (upstream: string, state: BreakerState) => void
  /** Called with each call that failed, also those that are repeated or answered by another upstream. */
  readonly onFailure?: (upstream: string, failure: RunnerFailure) => void
}

/** Properties of all upstreams of a kind. */
interface UpstreamTraits {
  /** Whether it has the Messages API, so that Anthropic's own fields may be passed on. */
  readonly isAnthropic?: boolean
  /** Whether a later call may resume the session of an earlier one. */
  readonly keepsSessions?: boolean
  /** Whether images, audio and files would not reach the model. */
  readonly readsOnlyText?: boolean
  /** Whether it answers several choices in one call. */
  readonly countsChoices?: boolean
  /** Whether a request may choose among models; others have one, whatever its name. */
  readonly choosesModel?: boolean
}

/** The keys that an upstream of any kind may have, complete. */
export interface SharedConfig extends Omit<WrittenUpstream, 'provider' | 'capabilities' | keyof Prices>, Prices {
  /** Sets its default capabilities. */
  readonly provider: string
  readonly capabilities: NonNullable<WrittenUpstream['capabilities']>
}

/** A complete upstream. */
export interface UpstreamConfig extends SharedConfig {
  /** The provider's name in replies: as configured, else that of the upstream. */
  readonly providerName: string
  /** Its address, for operators. */
  readonly shown: string
  /** Its kind; not enumerable. */
  readonly record: UpstreamKind
  /** Its factory; not enumerable. */
  readonly maker: UpstreamMaker
  /** What its factory takes; secret. */
  readonly settings: UpstreamSettings
  /** Everything in it that must never be repeated. */
  readonly secrets: readonly string[]
}

/** Sources of an upstream's settings besides its own keys. */
export interface Surroundings {
  readonly env: Environment
  /** Environment variables that a command gets only when it names them. */
  readonly withhold: readonly string[]
}

/** What `stickler run` overrides of an upstream's configuration. */
interface RunChoices {
  readonly model: string | undefined
  /** The working folder of a command unless its upstream names one. */
  readonly folder: string
}

/** What a kind makes of what is written. */
interface ReadUpstream<Settings> {
  /** What its factory takes; never printed. */
  readonly settings: Settings
  /** Its address, for operators; the name of the kind when absent. */
  readonly shown?: string
  /** Everything in it that must never be repeated. */
  readonly secrets?: readonly string[]
}

/** Makes upstreams of one kind. */
interface UpstreamMaker<Settings extends Resilience = UpstreamSettings> {
  create(settings: Settings, ports: UpstreamPorts): Upstream
  /** How the command line calls it; through `create` when absent. */
  runner?(settings: Settings, choices: RunChoices): Runner
}

/** Everything about one kind of upstream; adding a kind is adding its record to the list. */
export interface UpstreamKind<Written extends WrittenUpstream = WrittenUpstream, Settings extends Resilience = UpstreamSettings> {
  readonly name: string
  /** Its keys in a configuration; `kind` among them is its name. */
  readonly schema: z.ZodType<Written> & z.core.$ZodTypeDiscriminable
  /** The provider where none is named. */
  readonly provider: string
  readonly traits: UpstreamTraits
  /** The advice of `stickler doctor` when it does not respond. */
  readonly advice: string
  /** Makes the settings of its factory; secrets come from the environment. */
  read(written: Written, shared: SharedConfig, around: Surroundings): ReadUpstream<Settings> | Promise<ReadUpstream<Settings>>
  /** Loads its implementation, so that reading a configuration does not. */
  load(): Promise<UpstreamMaker<Settings>>
}

/** Gives the record of a kind the type of the list, which no longer knows the type of its settings: each kind gets only its own. */
export function defineKind<Written extends WrittenUpstream, Settings extends Resilience>(
  kind: UpstreamKind<Written, Settings>,
): UpstreamKind {
  return kind as unknown as UpstreamKind
}
