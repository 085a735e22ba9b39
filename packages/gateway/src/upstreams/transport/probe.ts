import { asRunnerFailure } from '@stickler/core/internal'
import type { Upstream } from '../upstream.ts'
import type { Transport } from './transport.ts'

/** Maximum time for a provider to respond to a probe. */
const probeMs = 5000

/** Makes the function that checks whether a provider responds at a path. */
export function prober(transport: Transport, path: string): NonNullable<Upstream['probe']> {
  return async (signal) => {
    try {
      const response = await transport.send({ method: 'GET', path, stream: false, totalMs: probeMs }, { signal })
      response.transfer.finish()
      return { ok: true }
    } catch (thrown) {
      const { kind, message } = asRunnerFailure(thrown)
      return { ok: false, kind, message }
    }
  }
}
