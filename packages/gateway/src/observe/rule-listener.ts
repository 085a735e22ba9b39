import type { RuleListener } from '@stickler/core/validators'
import type { Logger } from '../front/log.ts'
import { keptStderr } from '../records/run/stored-stderr.ts'

/**
 * Makes the listener that logs circuit changes of a rule and failures of its process; output of a
 * program is logged only where texts are stored.
 */
export function ruleListener(log: Logger, keepsText: () => boolean): RuleListener {
  return (event) => {
    if (event.type === 'circuit') {
      const { rule, state, scope } = event
      const line = scope === undefined ? 'circuit breaker' : 'circuit breaker (for one caller)'
      log[state === 'open' ? 'warn' : 'info']({ event: 'rule', validator: rule, status: state }, line)
      return
    }
    const { rule, reason, stderr } = event
    const kept = keptStderr(event, keepsText())
    log.warn({ event: 'rule', validator: rule, reason, ...(stderr === '' ? {} : { stderr: kept }) }, 'a process of the rule was replaced')
  }
}
