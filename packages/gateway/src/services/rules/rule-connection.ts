import type { Clock } from '@stickler/core'
import { asRunnerFailure } from '@stickler/core/internal'
import { type RuleConnection, type RuleTarget, wholeBody } from '@stickler/core/internal/services'
import { readPiece } from '../../upstreams/transport/decoded-body.ts'
import { createTransport } from '../../upstreams/transport/transport.ts'

/** Most connections to one service; further calls are queued. */
const connections = 256

/** The client of a service that checks answers, with pooled connections. */
export function ruleConnection({ url, headers, timeoutMs, maxBytes }: RuleTarget, clock: Clock): RuleConnection {
  const { origin, pathname, search } = new URL(url)
  const path = `${pathname}${search}`
  const settings = { baseUrl: origin, headers, timeouts: { totalMs: timeoutMs }, maxResponseBytes: maxBytes, connections }
  const transport = createTransport(settings, { accept: 'application/json' }, { clock })
  return {
    async post(body, signal) {
      const response = await transport.send({ method: 'POST', path, body, stream: false }, { signal })
      try {
        return {
          status: response.status,
          contentType: response.contentType,
          body: await wholeBody({ read: () => readPiece(response.body) }),
        }
      } finally {
        response.transfer.finish()
      }
    },
    async probe(signal) {
      try {
        const response = await transport.send({ method: 'HEAD', path, stream: false }, { signal })
        response.transfer.finish()
      } catch (thrown) {
        // A server that rejects such a request is reachable.
        if (asRunnerFailure(thrown).kind !== 'http') throw thrown
      }
    },
    close: () => transport.close(),
  }
}
