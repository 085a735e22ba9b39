import type { Clock } from '@stickler/core'
import { asRunnerFailure } from '@stickler/core/runners'
import { type RuleConnection, type RuleTarget, wholeBody } from '@stickler/core/services'
import { createTransport } from '../../upstreams/transport/transport.ts'

/** Most connections to one service; further calls wait for one. */
const connections = 256

/** The way to a service that judges answers, with connections that are kept. */
export function ruleConnection({ url, headers, timeoutMs, maxBytes }: RuleTarget, clock: Clock): RuleConnection {
  const { origin, pathname, search } = new URL(url)
  const path = `${pathname}${search}`
  const settings = { baseUrl: origin, headers, timeouts: { totalMs: timeoutMs }, maxResponseBytes: maxBytes, connections }
  const transport = createTransport(settings, { accept: 'application/json' }, { clock })
  return {
    async post(body, signal) {
      const response = await transport.send({ method: 'POST', path, body, stream: false }, { signal })
      try {
        return { status: response.status, contentType: response.contentType, body: await wholeBody(response.body) }
      } finally {
        response.finish()
      }
    },
    async probe(signal) {
      try {
        const response = await transport.send({ method: 'HEAD', path, stream: false }, { signal })
        response.finish()
      } catch (thrown) {
        // Whoever refuses such a request is there.
        if (asRunnerFailure(thrown).kind !== 'http') throw thrown
      }
    },
    close: () => transport.close(),
  }
}
