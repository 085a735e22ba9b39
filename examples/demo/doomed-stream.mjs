import { contract, enforceStream } from '@stickler/core'
import { scripted } from '@stickler/core/testing'
import { adrStructure } from '@stickler/presets/helix'
import { StreamLog } from './stream-log.mjs'
import { dim, red, row, title, verdict } from './terminal.mjs'

const doomed = `Here is the record you asked for.

---
adr_id: "007"
title: Cache the catalogue
---

# ADR-007: Cache the catalogue

## Context

${'Three pages that nobody has to wait for, or to pay for. '.repeat(40)}`

const better = `---
adr_id: "007"
title: Cache the catalogue
status: proposed
---

# ADR-007: Cache the catalogue

## Context

Reads are slow at noon.

## Decision

Cache them for a minute.

## Acceptance Criteria

- [ ] a read takes 20 ms
- [ ] a write shows in 60 s
- [ ] a switch turns it off
`

/** The header is wrong, so the rest is never generated; the reader sees one clean answer all the same. */
export async function doomedStream() {
  title(2, 'A stream goes wrong in the middle. It is stopped before anybody sees it.')
  const model = scripted([
    { text: doomed, chunkSize: 30, delayMs: 40 },
    { text: better, chunkSize: 30, delayMs: 40 },
  ])
  const log = new StreamLog()
  const stream = enforceStream({
    contract: contract({ checks: [adrStructure({})] }),
    runner: log.watch(model),
    prompt: 'Write decision record 7 about caching.',
    onEvent: (event) => {
      if (event.type === 'feedback-sent') row('feedback', event.feedback, dim)
      if (event.type !== 'attempt-stopped') return
      log.flush()
      for (const { code, message } of event.issues) row('stopped', `✗ ${code}: ${message}`, red)
      row('', `${doomed.length - (model.calls[0]?.taken ?? 0)} of ${doomed.length} characters were never generated.`)
    },
  })
  let shown = ''
  for await (const text of stream) {
    shown += text
    log.release(text)
  }
  log.flush()
  const outcome = await stream.outcome
  row(
    'shown',
    shown === outcome.text ? 'The reader saw the final text and nothing else.' : 'The reader saw something else than the final text!',
  )
  verdict(outcome)
  return { scene: 'doomed stream', outcome, note: 'one clean answer was shown' }
}
