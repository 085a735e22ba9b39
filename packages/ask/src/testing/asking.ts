import { type ScriptedRunner, type ScriptedTurn, scripted } from '@stickler/core/testing'
import { type AskService, type AskSettings, openAsk } from '../ask.ts'

/** Two sources that tests ask about. */
export const sources = [
  { urn: 'urn:a', payload: 'Pricing drove churn.' },
  { urn: 'urn:b', payload: '{"k":"v"}' },
]

/** A question over them. */
export const request = { question: 'What drove churn?', sources }

/** What a call of the scripted provider costs. */
export const usage = { promptTokens: 10, completionTokens: 5, cost: 0.25 }

/** A service whose model plays a script, with its calls. */
export function service(
  turns: readonly (string | ScriptedTurn)[],
  settings: Partial<AskSettings> = {},
): AskService & { readonly runner: ScriptedRunner } {
  const runner = scripted(turns, settings.clock ? { clock: settings.clock } : {})
  return { ...openAsk({ runner, provider: 'openai', model: 'm', ...settings }), runner }
}
