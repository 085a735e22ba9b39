import { type Clock, ConfigurationError, type RunnerFailure } from '@stickler/core'
import { isFields, isUpstreamFault, systemClock } from '@stickler/core/internal'
import type { ApiName, ChatRequest } from '@stickler/core/internal/apis'
import type { UpstreamCallOptions } from '@stickler/core/internal/relay'
import { MultipartForm } from '../transport/multipart-form.ts'
import type { ProbeResult, Upstream } from '../upstream.ts'
import { mustPass, passing, ResilientCall } from './resilient-call.ts'

/** One of several upstreams that can answer. */
interface FailoverTarget {
  readonly upstream: Upstream
  /** The model name there; that of the request when absent. */
  readonly model?: string
}

/** What fail-over uses of its surroundings. */
interface FailoverPorts<Target> {
  readonly clock?: Clock
  /** Called when the next one takes over from one that failed. */
  onFailed?(target: Target, failure: RunnerFailure): void
}

/**
 * Tries one upstream after the other until one starts to answer; only failures of the provider lead
 * to the next one.
 */
export function failover<Target extends FailoverTarget>(
  name: string,
  targets: readonly Target[],
  ports: FailoverPorts<Target> = {},
): Upstream {
  const { clock = systemClock, onFailed } = ports
  const [first, ...others] = targets
  if (first === undefined) throw new ConfigurationError([{ path: ['targets'], message: 'must name at least one upstream' }])

  /** Returns a function that returns the next one, or throws when there is none. */
  function queue(first: Target, candidates: readonly Target[], options: UpstreamCallOptions) {
    const begin = clock.now()
    let next = 0
    let current = first
    return (failure: RunnerFailure): [Target, UpstreamCallOptions] => {
      const target = candidates[next++]
      const { timeLeftMs } = options
      const left = timeLeftMs === undefined ? undefined : timeLeftMs - (clock.now() - begin)
      if (target === undefined || options.signal.aborted || !isUpstreamFault(failure) || (left ?? 1) <= 0) throw failure
      onFailed?.(current, failure)
      current = target
      return [target, left === undefined ? options : { ...options, timeLeftMs: left }]
    }
  }

  const passingTo = (path: string) => targets.filter(({ upstream }) => upstream.pass !== undefined && (upstream.passes?.(path) ?? true))
  return {
    name,
    speaks: spokenByAll(targets),
    call(request, options) {
      const call = first.upstream.call(asKnownThere(request, first), options)
      // Without an alternative, the call is used directly.
      if (others.length === 0) return call
      const next = queue(first, others, options)
      return new ResilientCall(call, undefined, async (failure) => {
        const [target, own] = next(failure)
        return target.upstream.call(asKnownThere(request, target), own)
      })
    },
    ...(targets.some(({ upstream }) => upstream.pass !== undefined) && {
      passes: (path: string) => passingTo(path).length > 0,
      pass(path, body, options) {
        const [best = first, ...further] = passingTo(path)
        const next = queue(best, further, options)
        const passTo = (target: FailoverTarget, own: UpstreamCallOptions) =>
          mustPass(target.upstream)(path, asPassedThere(body, target), own)
        return passing(
          async () => passTo(best, options),
          async (failure) => {
            const [target, own] = next(failure)
            return () => passTo(target, own)
          },
        )
      },
    }),
    async probe(signal) {
      let result: ProbeResult = { ok: true }
      for (const { upstream } of targets) {
        result = (await upstream.probe?.(signal)) ?? { ok: true }
        if (result.ok) return result
      }
      return result
    },
    async close() {
      await Promise.all(targets.map(({ upstream }) => upstream.close()))
    },
  }
}

function asKnownThere<T extends ChatRequest | Record<string, unknown>>(request: T, { model }: FailoverTarget): T {
  return model === undefined || model === request.model ? request : { ...request, model }
}

/** The answering upstream must support the request. */
function spokenByAll(targets: readonly FailoverTarget[]): ReadonlySet<ApiName> {
  const [first, ...others] = targets.map(({ upstream }) => upstream.speaks ?? nothing)
  return new Set([...(first ?? nothing)].filter((api) => others.every((spoken) => spoken.has(api))))
}

const nothing: ReadonlySet<ApiName> = new Set()

function asPassedThere(body: unknown, target: FailoverTarget): unknown {
  if (body instanceof MultipartForm) return target.model === undefined ? body : body.with('model', target.model)
  return isFields(body) ? asKnownThere(body, target) : body
}
