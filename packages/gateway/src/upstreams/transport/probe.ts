import { asRunnerFailure } from '@stickler/core/runners'
import type { Upstream } from '../upstream.ts'
import type { Transport } from './transport.ts'

/** How long a provider may take to show that it is there. */
const probeMs = 5000

/** Makes the function that tells whether a provider answers at a path. */
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
