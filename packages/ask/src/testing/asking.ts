import { type ScriptedRunner, type ScriptedTurn, scripted } from '@stickler/core/testing'
import { type AskService, openAsk } from '../ask.ts'
import { memoryAudit } from '../audit/memory-audit.ts'
import type { AskSettings } from '../settings.ts'

/** Two sources that tests ask about. */
export const sources = [
  { urn: 'urn:a', payload: 'Pricing drove churn.' },
  { urn: 'urn:b', payload: '{"k":"v"}' },
]

/** A question over them. */
export const request = { question: 'What drove churn?', sources }

/** What a call of the scripted provider costs. */
export const usage = { promptTokens: 10, completionTokens: 5, cost: 0.25 }

/** A service whose provider plays a script, with its calls and its audit. */
export function service(
  turns: readonly (string | ScriptedTurn)[],
  settings: Partial<AskSettings> & { readonly name?: string } = {},
): AskService & { readonly runner: ScriptedRunner; readonly audit: ReturnType<typeof memoryAudit> } {
  const runner = scripted(turns, settings.clock ? { clock: settings.clock } : {})
  const audit = memoryAudit()
  const { name = 'openai', ...rest } = settings
  const asked = openAsk({ providers: [{ name, model: 'm', runner }], audit, today: () => 0, ...rest })
  return { ...asked, runner, audit }
}
