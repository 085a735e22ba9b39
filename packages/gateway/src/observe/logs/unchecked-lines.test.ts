import type { Unchecked } from '@stickler/core'
import type { FaultKind } from '@stickler/core/internal'
import { expect, test } from 'vitest'
import { uncheckedWithoutWords } from '../../records/run/text-removal.ts'
import { runRecord } from '../../testing/memory-queries.ts'
import { uncheckedLines } from './run-listener.ts'

const fault = (kind?: FaultKind): Unchecked => ({
  ...{ validator: 'polite', cause: 'unavailable', reason: 'fault', message: 'canary' },
  ...(kind === undefined ? {} : { fault: kind }),
})

const cases: readonly (readonly [kind: string, unchecked: Unchecked, kept: string])[] = [
  ['missing', fault('missing'), 'The program of the rule could not be started.'],
  ['exit', fault('exit'), 'The program of the rule ended before it answered.'],
  ['timeout', fault('timeout'), 'The parser or rule did not answer in time.'],
  ['connection', fault('connection'), 'The service of the parser or rule could not be reached.'],
  ['http', fault('http'), 'The service of the rule answered with an error.'],
  ['protocol', fault('protocol'), 'The parser or rule answered with something that is no verdict.'],
  ['fault', fault(), 'The parser or rule did not answer.'],
  [
    'open',
    { validator: 'polite', cause: 'unavailable', reason: 'open', message: 'x' },
    'The parser or rule was not asked, because it had failed too often.',
  ],
  ['crash', { validator: 'polite', cause: 'crash', message: 'canary' }, 'The check failed.'],
]

test.each(cases)('%s is logged and kept as the cause of a check that could not run', (kind, unchecked, kept) => {
  const record = runRecord('one', { contract: 'letters', unchecked: [unchecked] })
  expect(uncheckedLines(record)).toEqual([
    { event: 'unchecked', requestId: record.requestId, run: record.id, contract: 'letters', validator: 'polite', kind },
  ])
  expect(uncheckedWithoutWords(unchecked).message).toBe(kept)
})

test('a run whose checks could all run has no line', () => {
  expect(uncheckedLines(runRecord('one', { unchecked: [] }))).toEqual([])
})
