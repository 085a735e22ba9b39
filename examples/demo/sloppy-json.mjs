import { contract, enforce } from '@stickler/core'
import { scripted } from '@stickler/core/testing'
import { json } from '@stickler/core/validators'
import * as z from 'zod'
import { green, red, row, title, verdict } from './terminal.mjs'

const Ticket = z.object({ title: z.string(), priority: z.enum(['low', 'high']), hours: z.number() })

/** Sloppy JSON is repaired; the model is not asked again, and each certificate says what was changed. */
export async function sloppyJson() {
  title(1, 'The JSON is sloppy. Repairs fix it, each with a certificate.')
  const outcome = await enforce({
    contract: contract({ checks: [json({ schema: Ticket })] }),
    runner: scripted(['Sure: {"title": "Login fails", "priority": "HIGH", "hours": "3",}']),
    prompt: 'Write a ticket: nobody can log in.',
    onEvent: (event) => {
      if (event.type === 'attempt-received') row('model', event.text)
      if (event.type === 'checked') for (const { code, message } of event.issues) row('', `✗ ${code}: ${message}`, red)
    },
  })
  for (const { rule, class: kind, before, after } of outcome.repairs) {
    row('certificate', `${rule} (${kind}): ${before} → ${after || 'nothing'}`, green)
  }
  row('value', JSON.stringify(outcome.value))
  verdict(outcome)
  return { scene: 'sloppy JSON', outcome, note: 'no retry was spent' }
}
