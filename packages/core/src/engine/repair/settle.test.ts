import { describe, expect, it, test } from 'vitest'
import * as z from 'zod'
import { type ContractByName, contract } from '../../../../presets/src/testing/contract.ts'
import { Answer } from '../../answer/answer.ts'
import { defineValidator } from '../../contract/validator.ts'
import { scripted } from '../../runners/scripted.ts'
import { enforce } from '../enforce.ts'
import { settle } from './settle.ts'

const crash = defineValidator({
  name: 'crash',
  summary: 'Never runs.',
  options: z.strictObject({}),
  codes: {},
  instruct: () => '',
  prepare: () => ({
    // biome-ignore lint/correctness/useYield: it throws before it could yield
    *check() {
      throw new Error('broken')
    },
  }),
})

const marker: ContractByName = { checks: ['step_marker'] }
const twoRules: ContractByName = { checks: ['step_marker', { max_words: { limit: 3 } }] }

const cases: readonly (readonly [what: string, input: ContractByName, text: string, status: string, action: string])[] = [
  ['valid', marker, 'x <!-- STEP: done -->', 'valid', 'deliver'],
  ['repaired first', { ...marker, repair: 'first' }, 'x', 'repaired', 'deliver'],
  ['repaired last', { ...marker, repair: 'last', retries: 9 }, 'x', 'repaired', 'deliver'],
  ['never repaired', { ...marker, repair: 'never' }, 'x', 'unresolved', 'give-up'],
  ['a class that is not allowed', { ...marker, allow: ['guess'] }, 'x', 'unresolved', 'give-up'],
  ['other errors remain', twoRules, 'far too many words here', 'unresolved', 'give-up'],
  ['lenient', { ...twoRules, mode: 'lenient' }, 'far too many words here', 'unresolved', 'deliver'],
  ['shadow', { ...marker, mode: 'shadow' }, 'x', 'unresolved', 'deliver'],
  ['nothing to check', { checks: [] }, '', 'valid', 'deliver'],
  ['unchecked', { checks: [crash({})] }, 'x', 'unchecked', 'give-up'],
  ['unchecked and delivered', { checks: [crash({})], unchecked: 'deliver' }, 'x', 'unchecked', 'deliver'],
]

describe('settle', () => {
  test.each(cases)('%s', async (_, input, text, status, action) => {
    expect(await settle(contract(input), text)).toMatchObject({ status, decision: { action } })
  })
  test.each(cases.filter(([, , text]) => text !== ''))('%s: as the loop would without retries', async (_, input, text) => {
    const { status, text: after, issues, repairs, fixed, decision } = await settle(contract(input), text)
    const outcome = await enforce({ contract: contract({ ...input, retries: 0 }), runner: scripted([text]), prompt: '' })
    expect({ status, text: after, issues: issues, repairs, fixed, reason: decision.reason }).toEqual({
      status: outcome.status,
      text: outcome.text,
      issues: outcome.issues,
      repairs: outcome.repairs,
      fixed: outcome.fixed,
      reason: outcome.reason,
    })
  })
  it('keeps what was found, and the answer as it is when nothing was changed', async () => {
    const answer = new Answer('x')
    const settled = await settle(contract({ ...marker, repair: 'never' }), answer)
    expect([settled.text, settled.toolCalls]).toEqual(['x', answer.toolCalls])
    expect(settled.toolCalls).toBe(answer.toolCalls)
    const repaired = await settle(contract(marker), answer)
    expect([repaired.found.issues.length, repaired.issues.length]).toEqual([1, 0])
    expect(repaired.fixed[0]).toBe(repaired.found.issues[0])
  })
  it('never completes what was cut off', async () => {
    const answer = new Answer('x', { finishReason: 'length' })
    expect(await settle(contract(marker), answer)).toMatchObject({ status: 'unresolved', repairs: [] })
  })
})

test('issues name a fault of the syntax that others hid, and that no repair fixes', async () => {
  const { status, issues } = await settle(contract({ checks: ['json'] }), "{'a': NaN}")
  expect(status).toBe('unresolved')
  expect(issues.map(({ message }) => message)).toEqual([
    'Correct the JSON at line 1, column 2: quotes that are not double quotes.',
    'Correct the JSON at line 1, column 7: a number that JSON does not have.',
  ])
})
