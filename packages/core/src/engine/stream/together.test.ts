import fc from 'fast-check'
import { describe, test } from 'vitest'
import { editableTexts, editingContracts, expectAgreement } from '../../../../../attack/generators/editing-contracts.ts'
import { type ContractOptions, contract } from '../../catalogue.ts'
import { assertStreamable } from '../../testing/assert-streamable.ts'

const words = (text: string, replace: string) => ({ contains: { none: [{ text, replace }] } })

describe('validators that change one text', () => {
  test.each<[string, NonNullable<ContractOptions['checks']>, string]>([
    ['a token of a template in a link that is removed', ['leaks', { links: { hosts: ['good.com'] } }], 's://[INST] D'],
    ['a word beside a placeholder', [words('the', 'x'), 'placeholders'], 't{TBD }the\n\n'],
    ['a placeholder that holds another', [{ placeholders: { code: true } }, { leaks: { code: true } }], 'is {TBD }. jane@acme.org\n\n'],
    ['a word in the wrong case', [{ casing: { is: 'lower' } }, words('The', 'a')], 'so. The end.\n'],
    [
      'capitals that a pattern denies',
      [{ pattern: { deny: [{ regex: '[A-Z]{3,}', replace: 'x' }] } }, { casing: { is: 'upper' } }],
      'The IT NASA',
    ],
    [
      'capitals that are wrong too',
      [{ casing: { is: 'lower' } }, { pattern: { deny: [{ regex: '[A-Z]{3,}', replace: 'x' }] } }],
      'a STEP b',
    ],
    ['a citation that is a bracket', [{ citations: { sources: 1, dropUnsupported: true } }, words('[', '(')], 'a [^9] b'],
    [
      'a tag in a line of capitals',
      [{ citations: { sources: 2 } }, { casing: { is: 'upper' } }],
      '[^9]+1 (12) 45-70</think>+1 (12) 45-70<!-- S: d -->',
    ],
    ['a line that is no value', [{ one_of: { values: ['the'] } }, { casing: { is: 'upper' } }], '\n[^1]\ufeff<!-- STEP: nope -->'],
  ])('%s: whole as in any stream', async (_name, checks, text) => {
    for (const order of [checks, checks.toReversed()])
      await assertStreamable(contract({ checks: order, allow: ['lossless', 'lossy'] }), text, [1, 2, 3, [3, 1, 7]])
  })

  test('agree on any text', async () => {
    await fc.assert(fc.asyncProperty(editingContracts, editableTexts, expectAgreement), { numRuns: 150 })
  })
})
