import type { Api } from '@stickler/core/wire'
import type { Target } from './target.ts'

/**
 * Whether requests of an API reach the upstream as sent: pipelines and stored sessions write their
 * own.
 */
export function isNative({ upstream, pipeline, keepsSessions }: Target, { wire }: Pick<Api, 'wire'>): boolean {
  return wire !== undefined && upstream.speaks?.has(wire.api) === true && pipeline === undefined && !keepsSessions
}
