import { extractiveRunner } from '@stickler/ask'
import { type Clock, ConfigurationError, unknownName } from '@stickler/core'
import type { RetrySettings } from '@stickler/core/runners'
import { type BreakerSettings, type BreakerState, createBreaker } from '@stickler/core/services'
import { type AnthropicUpstreamSettings, anthropicUpstream } from './kinds/anthropic-upstream.ts'
import { type ClaudeCliUpstreamSettings, claudeCliUpstream } from './kinds/claude-cli-upstream.ts'
import { type OpenAiUpstreamSettings, openaiUpstream } from './kinds/openai-upstream.ts'
import { runnerUpstream } from './kinds/runner-upstream.ts'
import { type ScriptedUpstreamSettings, scriptedUpstream } from './kinds/scripted-upstream.ts'
import { fanOut } from './resilience/fan-out.ts'
import { withBreaker } from './resilience/guarded-upstream.ts'
import { withRetries } from './resilience/retrying-upstream.ts'
import type { Upstream } from './upstream.ts'

/** How failures of an upstream are met. */
export interface Resilience {
  readonly retry?: RetrySettings
  /** False for none. */
  readonly breaker?: BreakerSettings | false
}

/** What is configured of one upstream. */
export type UpstreamSettings = Resilience &
  (
    | ({ readonly kind: 'openai' } & OpenAiUpstreamSettings)
    | ({ readonly kind: 'anthropic' } & AnthropicUpstreamSettings)
    | ({ readonly kind: 'claude-cli' } & ClaudeCliUpstreamSettings)
    | ({ readonly kind: 'scripted' } & ScriptedUpstreamSettings)
    | { readonly kind: 'extractive'; readonly name: string }
  )

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
}

/** What holds for each kind of upstream. */
export const upstreamTraits: Readonly<Record<UpstreamSettings['kind'], UpstreamTraits>> = {
  openai: { countsChoices: true },
  anthropic: { isAnthropic: true },
  'claude-cli': { keepsSessions: true, readsOnlyText: true },
  scripted: {},
  extractive: { readsOnlyText: true },
}

/** Every kind of upstream. */
export const upstreamKinds = Object.keys(upstreamTraits) as readonly UpstreamSettings['kind'][]

/** Makes an upstream with its retries and its circuit breaker; several choices are retried each for itself where each is a call of its own. */
export function createUpstream(settings: UpstreamSettings, ports: UpstreamPorts = {}): Upstream {
  const { name, retry, breaker } = settings
  const { onBreaker } = ports
  const plain = bare(settings, ports)
  const onChange = onBreaker === undefined ? {} : { onChange: (state: BreakerState) => onBreaker(name, state) }
  const guarded = breaker === false ? plain : withBreaker(plain, createBreaker(breaker, { ...ports, ...onChange }))
  const patient = withRetries(guarded, retry, ports)
  return upstreamTraits[settings.kind].countsChoices ? patient : fanOut(patient)
}

function bare(settings: UpstreamSettings, ports: UpstreamPorts): Upstream {
  const { kind } = settings
  switch (kind) {
    case 'openai':
      return openaiUpstream(settings, ports)
    case 'anthropic':
      return anthropicUpstream(settings, ports)
    case 'claude-cli':
      return claudeCliUpstream(settings)
    case 'scripted':
      return scriptedUpstream(settings, ports)
    case 'extractive':
      return runnerUpstream(settings.name, extractiveRunner())
    default:
      throw new ConfigurationError([{ path: ['kind'], message: unknownName('kind of upstream', String(kind), upstreamKinds) }])
  }
}
