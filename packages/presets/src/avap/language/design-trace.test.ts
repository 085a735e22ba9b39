import { traceLine } from '@stickler/core/validators'
import { expect, test } from 'vitest'
import { avapLanguage } from './index.ts'

const parse = await avapLanguage().load()
const trace = (source: string): readonly string[] => parse(source).map(traceLine)

test('the trace of the design, word for word', () => {
  const source = [
    'addParam(password, password)',
    'addVar(rounds, 3)',
    'getSHA256(password, hash)',
    'addVar(name, "Ana")',
    'addVar(total, 0)',
    '',
    'for i in range(10):',
    '  total = total + 1',
    '',
    'addResult(total)',
    '// the hash goes back too',
    'returnResult(hash)',
  ].join('\n')
  expect(trace(source).join('\n')).toBe(
    [
      "Line 3: unknown command 'getSHA256' — expected known identifier",
      "Line 7: unexpected construct 'for i in range(...)' — AVAP loop syntax required",
      "Line 12: 'returnResult' not defined — did you mean 'addResult'?",
    ].join('\n'),
  )
  expect(parse(source).map(({ suggestion }) => suggestion)).toEqual(['encodeSHA256', 'startLoop(name, from, to) … endLoop()', 'addResult'])
})
