import { contract, enforce } from '@stickler/core'
import { scripted } from '@stickler/core/testing'
import { green, red, row, title, verdict } from './terminal.mjs'

/** A missing marker is repaired; the model is not asked again, and the certificate says what was changed. */
export async function forgottenMarker() {
  title(1, 'The model forgets the step marker. A repair adds it and confesses.')
  const model = scripted(['Which database does the service use today?'])
  const outcome = await enforce({
    contract: contract({ checks: ['step_marker'] }),
    runner: model,
    prompt: 'Help me write a decision record.',
    onEvent: (event) => {
      if (event.type === 'attempt-received') row('model', event.text)
      if (event.type === 'checked') for (const { code, message } of event.issues) row('', `✗ ${code}: ${message}`, red)
    },
  })
  for (const { rule, class: kind, span, before, after } of outcome.repairs) {
    row('certificate', `rule ${rule}, class ${kind}, at ${span.start}`, green)
    row('', `- ${JSON.stringify(before)}`, red)
    row('', `+ ${JSON.stringify(after)}`, green)
  }
  verdict(outcome)
  return { scene: 'forgotten marker', outcome, note: 'no retry was spent' }
}
