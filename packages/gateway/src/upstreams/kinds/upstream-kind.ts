import type { Clock, Runner } from '@stickler/core'
import type { RetrySettings } from '@stickler/core/runners'
import type { BreakerSettings, BreakerState } from '@stickler/core/services'
import type * as z from 'zod'
import type { Environment } from '../settings/environment.ts'
import type { WrittenUpstream } from '../settings/written-upstream.ts'
import type { Upstream } from '../upstream.ts'

/** How failures of an upstream are met. */
export interface Resilience {
  readonly retry?: RetrySettings
  /** False for none. */
  readonly breaker?: BreakerSettings | false
}

/** What an upstream is made of; further settings belong to its kind. */
export interface UpstreamSettings extends Resilience {
  readonly kind: string
  readonly name: string
  readonly [setting: string]: unknown
}

/** What upstreams do not read by themselves. */
export interface UpstreamPorts {
  readonly clock?: Clock
  /** Milliseconds since 1970. */
  readonly today?: () => number
  /** A number from 0 up to 1. */
  readonly random?: () => number
  /** Settles when a large response may be read. */
  readonly turn?: () => Promise<void>
  /** Told when a circuit breaker opens or closes. */
  readonly onBreaker?: (upstream: string, state: BreakerState) => void
}

/** What holds for all upstreams of a kind. */
export interface UpstreamTraits {
  /** Whether it speaks the Messages API, so that what only Anthropic understands may be passed on. */
  readonly isAnthropic?: boolean
  /** Whether a further call may resume the session of an earlier one. */
  readonly keepsSessions?: boolean
  /** Whether pictures, audio and files would not reach the model. */
  readonly readsOnlyText?: boolean
  /** Whether it answers several choices in one call. */
  readonly countsChoices?: boolean
  /** Whether a request may choose among models; others have one, whatever it is called. */
  readonly choosesModel?: boolean
  /** Whether it answers whatever it is asked. */
  readonly ignoresPrompt?: boolean
}

/** An upstream with everything filled in: what all kinds have. */
export interface UpstreamConfig {
  readonly name: string
  /** Name of its kind. */
  readonly kind: string
  /** What is known of its kind; not enumerable. */
  readonly record: UpstreamKind
  /** What makes it; not enumerable. */
  readonly maker: UpstreamMaker
  /** Sets its default capabilities. */
  readonly provider: string
  /** What replies call the provider: the name that is written, else that of the upstream. */
  readonly providerName: string
  readonly capabilities: {
    readonly citations?: boolean
    readonly seed?: boolean
    readonly temperature?: boolean
    readonly streaming?: boolean
    /** Whether a finish reason comes with every answer; by the provider's name when absent. */
    readonly finishReason?: boolean
  }
  readonly price?: { readonly promptPerMillion: number; readonly completionPerMillion: number }
  readonly model?: string
  /** Further models with their prices. */
  readonly models?: ReadonlyMap<string, { readonly promptPerMillion: number; readonly completionPerMillion: number }>
}

/** Where the settings of an upstream come from beside its own keys. */
export interface Surroundings {
  readonly env: Environment
  /** Environment variables that a command does not get unless it names them. */
  readonly withhold: readonly string[]
}

/** What `stickler run` says about an upstream beside its configuration. */
export interface RunChoices {
  readonly model: string | undefined
  /** Where a command works unless its upstream names a folder. */
  readonly folder: string
}

/** The keys of one kind with everything filled in. */
export interface ResolvedKeys<Config extends UpstreamConfig> {
  readonly open: Partial<Omit<Config, keyof UpstreamConfig>>
  /** Can be used, but are never printed. */
  readonly secrets?: Partial<Omit<Config, keyof UpstreamConfig>>
}

/** Makes upstreams of one kind. */
export interface UpstreamMaker<Config extends UpstreamConfig = UpstreamConfig, Settings extends Resilience = UpstreamSettings> {
  create(settings: Settings, ports: UpstreamPorts): Upstream
  /** How the command line asks it; by way of `create` when absent. */
  runner?(config: Config, choices: RunChoices): Runner
}

/** Everything that is known of one kind of upstream; adding a kind is adding its record to the list. */
export interface UpstreamKind<
  Written extends WrittenUpstream = WrittenUpstream,
  Config extends UpstreamConfig = UpstreamConfig,
  Settings extends Resilience = UpstreamSettings,
> {
  readonly name: string
  /** Its keys in a configuration; `kind` among them is its name. */
  readonly schema: z.ZodType<Written> & z.core.$ZodTypeDiscriminable
  /** The provider where none is named. */
  readonly provider: string
  readonly traits: UpstreamTraits
  /** What `stickler doctor` advises when it does not answer. */
  readonly advice: string
  /** Fills in what a file leaves out of its own keys; secrets come from the environment. */
  resolve(written: Written, around: Surroundings): ResolvedKeys<Config> | Promise<ResolvedKeys<Config>>
  /** Everything of it that must never be repeated. */
  secrets(config: Config): readonly string[]
  /** Where it is, for operators. */
  shown(config: Config): string
  settings(config: Config): Settings
  /** Loads what talks to it, so that reading a configuration does not. */
  load(): Promise<UpstreamMaker<Config, Settings>>
}

/** Gives the record of a kind the type of the list, which forgets whose settings go where: each kind is only given its own. */
export function defineKind<Written extends WrittenUpstream, Config extends UpstreamConfig, Settings extends Resilience>(
  kind: UpstreamKind<Written, Config, Settings>,
): UpstreamKind {
  return kind as unknown as UpstreamKind
}
