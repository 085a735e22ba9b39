import { type ClaudeCliSettings, checkClaudeCli } from '@stickler/claude'
import { asRunnerFailure } from '@stickler/core/runners'
import type { Upstream } from '../upstream.ts'

/** Makes the function that tells whether the command can be run, by asking for its version; nothing of it is left afterwards. */
export function commandProber(settings: ClaudeCliSettings): NonNullable<Upstream['probe']> {
  const { command = 'claude' } = settings
  return async (signal) => {
    try {
      await checkClaudeCli(settings, signal)
      return { ok: true }
    } catch (thrown) {
      const { kind, message } = asRunnerFailure(thrown)
      // A probe is only given up because it takes too long.
      if (kind !== 'aborted') return { ok: false, kind, message }
      return { ok: false, kind: 'timeout', message: `the command ${JSON.stringify(command)} did not tell its version in time` }
    }
  }
}
