import { expect, test } from 'vitest'
import { contract } from '../../../presets/src/testing/contract.ts'
import { manualClock, scripted } from '../testing/index.ts'
import { createCounters } from './counters.ts'
import { enforce } from './enforce.ts'

test('counters follow the trace, per validator and code, and over time', async () => {
  const clock = manualClock()
  const counters = createCounters(() => clock.now(), { bucketMs: 1000, keep: 2 })
  const run = (turns: string[]) =>
    enforce({
      contract: contract({ preset: 'helix', checks: ['step_marker'] }),
      runner: scripted(turns),
      prompt: 'p',
      onEvent: counters.listen,
    })
  await run(['x <!-- STEP: done -->'])
  await run(['x', 'y', 'z'])
  expect(counters.counts()).toMatchObject({
    runs: 2,
    attempts: 4,
    retries: 2,
    repairs: 1,
    statuses: { valid: 1, repaired: 1 },
    failures: { 'step_marker/MISSING_STEP_MARKER': 3 },
    retryRate: [{ index: 0, runs: 2, retries: 2 }],
  })
  clock.advance(2500)
  await run(['x', 'y <!-- STEP: done -->'])
  expect(counters.counts().retryRate).toEqual([{ index: 2, runs: 1, retries: 1 }])
})
