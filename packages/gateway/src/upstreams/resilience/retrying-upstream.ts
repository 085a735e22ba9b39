import { ConfigurationError } from '@stickler/core'
import { asRunnerFailure, type RetryPorts, type RetrySettings, retryRules } from '@stickler/core/runners'
import type { Upstream } from '../upstream.ts'
import { SwitchingCall } from './switching-call.ts'

/** Repeats calls that failed on the way, as long as nothing of an answer has come; after a timeout the client has waited enough, and fail-over has its turn. */
export function withRetries(upstream: Upstream, settings: RetrySettings = {}, ports: RetryPorts = {}): Upstream {
  if ((settings.retries ?? 0) > 10) throw new ConfigurationError([{ path: ['retries'], message: 'must be at most 10' }])
  const patience = retryRules({ repeatTimeouts: false, ...settings }, ports)
  const { pass } = upstream
  return {
    ...upstream,
    call(request, options) {
      const wait = patience(options)
      return new SwitchingCall(upstream.call(request, options), async (failure) => upstream.call(request, await wait(failure)))
    },
    ...(pass === undefined
      ? {}
      : {
          async pass(path, body, options) {
            const wait = patience(options)
            for (let own = options; ; ) {
              try {
                return await pass(path, body, own)
              } catch (thrown) {
                own = await wait(asRunnerFailure(thrown))
              }
            }
          },
        }),
  }
}
