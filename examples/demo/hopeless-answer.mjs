import { contract, enforce } from '@stickler/core'
import { scripted } from '@stickler/core/testing'
import { maxWords } from '@stickler/core/validators'
import { dim, red, row, title, verdict } from './terminal.mjs'

const answers = [
  'There are, as so often in our profession, several sides to this question.',
  'To be brief: there are several sides to this question, and each has a case.',
]

/** The model repeats itself, so the planner stops long before the retries are used up. */
export async function hopelessAnswer() {
  title(3, 'The model never gets it right. Stickler stops early and says why.')
  const outcome = await enforce({
    contract: contract({ checks: [maxWords({ limit: 8 })], retries: 9, budget: { tokens: 2000 } }),
    runner: scripted([answers[0] ?? '', answers[1] ?? '', answers[1] ?? ''].map((text) => ({ text, usage: usageOf(text) }))),
    prompt: 'Tabs or spaces?',
    onEvent: (event) => {
      if (event.type === 'attempt-received') row(`model, ${event.attempt}`, event.text)
      if (event.type === 'checked') for (const { code, message } of event.issues) row('', `✗ ${code}: ${message}`, red)
      if (event.type === 'decided') row('decision', `${event.action} (${event.reason})`, dim)
    },
  })
  verdict(outcome)
  const { promptTokens, completionTokens } = outcome.usage
  row('spent', `${promptTokens + completionTokens} tokens over all attempts; ${10 - outcome.attempts} more attempts were allowed`)
  return { scene: 'hopeless answer', outcome, note: 'the same answer came twice' }
}

function usageOf(text) {
  return { promptTokens: 12, completionTokens: text.split(' ').length }
}
