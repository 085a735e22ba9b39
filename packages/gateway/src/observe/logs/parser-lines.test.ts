import { expect, test } from 'vitest'
import { runRecord } from '../../testing/memory-queries.ts'
import { lines } from '../../testing/parser-gateway.ts'
import { parserLines } from './run-listener.ts'

const checks = new Map([['code', new Set(['parsing'])]])
const missing = (validator: string, reason?: 'open' | 'fault') =>
  ({ validator, cause: 'unavailable', message: 'x', ...(reason === undefined ? {} : { reason }) }) as const

test.each([
  ['a run with all verdicts', { contract: 'code', unchecked: [], delivered: true }, []],
  ['another check without a verdict', { contract: 'code', unchecked: [missing('other')], delivered: true }, []],
  ['another contract', { contract: 'brief', unchecked: [missing('parsing', 'open')], delivered: true }, []],
  ['a parser at fault', { contract: 'code', unchecked: [missing('parsing', 'fault')], delivered: true }, [lines.unvalidated]],
  [
    'a parser that was skipped',
    { contract: 'code', unchecked: [missing('parsing', 'open')], delivered: true },
    [lines.open, lines.unvalidated],
  ],
  ['an answer that is withheld', { contract: 'code', unchecked: [missing('parsing', 'open')], delivered: false }, [lines.open]],
  ['a time limit of the contract', { contract: 'code', unchecked: [missing('parsing')], delivered: true }, [lines.unvalidated]],
])('%s', (_name, record, said) => {
  expect(parserLines(runRecord('run-1', record), checks)).toEqual(said)
})
