import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contract } from '../../catalogue.ts'
import { check } from '../../engine/check/check.ts'
import { settle } from '../../engine/repair/settle.ts'
import { localeFaults } from '../../testing/locale-faults.ts'
import { casing } from './index.ts'

const rule = (is: 'lower' | 'upper', allow: ('lossless' | 'lossy')[] = ['lossless']) => contract({ checks: [casing({ is })], allow })

describe('casing', () => {
  test.each([
    ['lower', 'all small, 42 € — é', undefined],
    ['lower', '42', undefined],
    ['lower', '<think>HM</think>yes', undefined],
    ['lower', 'x ﬁ ª 𝐀', undefined],
    ['lower', 'the NATO', 'Write the whole answer in lower case; "NATO" has an upper-case letter.'],
    ['lower', 'ein Über', 'Write the whole answer in lower case; "Über" has an upper-case letter.'],
    ['lower', 'ǅ', 'Write the whole answer in lower case; "ǅ" has an upper-case letter.'],
    ['upper', 'ALL BIG, N.º 1 中文', undefined],
    ['upper', 'STRAßE', 'Write the whole answer in upper case; "STRAßE" has a lower-case letter.'],
    ['upper', 'ALL of, IT', 'Write the whole answer in upper case; "of" has a lower-case letter.'],
    ['upper', 'ALL i', 'Write the whole answer in upper case; "i" has a lower-case letter.'],
  ] as const)('%s: %j', async (is, text, message) => {
    const { issues } = await check(rule(is), text)
    expect(issues.map((one) => one.message)).toEqual(message === undefined ? [] : [message])
  })

  test('says how many letters are wrong, and where the first one is', async () => {
    const { issues } = await check(rule('lower'), '<think>X</think>a Bc DE')
    expect(issues).toMatchObject([
      { code: 'WRONG_CASE', hint: 'Change all 3 letters that are in the wrong case.', span: { start: 18, end: 19 } },
    ])
  })

  test('changes letters only where a loss is allowed', async () => {
    expect((await settle(rule('upper'), 'a')).status).toBe('unresolved')
    const { status, text: after, repairs } = await settle(rule('upper', ['lossless', 'lossy']), '<think>x</think>OK\nstraße ß\nOK')
    expect([status, after, repairs.map(({ before }) => before)]).toEqual(['repaired', '<think>x</think>OK\nSTRASSE SS\nOK', ['straße ß']])
  })

  test.each([{}, { is: 'title' }, { is: ['lower'] }, { is: 'lower', not: 1 }])('%j is a configuration error', (options) => {
    expect(() => contract({ checks: [{ casing: options as never }] })).toThrow(/casing/)
  })

  test('L45 agrees with changing the case, and repairs every text', async () => {
    const character = fc.oneof(
      fc.constantFrom('a', 'B', ' ', '\n', 'ß', 'İ', 'ǆ', 'Σ', '👍', '<think>', '</think>', '𐐀'),
      fc.string({ unit: 'grapheme', maxLength: 2 }),
    )
    const text = fc.array(character, { maxLength: 8 }).map((all) => all.join(''))
    await fc.assert(
      fc.asyncProperty(text, fc.constantFrom('lower' as const, 'upper' as const), async (said, is) => {
        const wrong = [...said].some(
          (one) => /[\p{Ll}\p{Lu}\p{Lt}]/u.test(one) && (is === 'lower' ? one.toLowerCase() : one.toUpperCase()) !== one,
        )
        const { status } = await settle(rule(is), said)
        if (!said.includes('<think>') && said.trim() !== '') {
          expect(status).toBe(wrong ? 'unresolved' : 'valid')
          expect((await settle(rule(is, ['lossy']), said)).status).toBe(wrong ? 'repaired' : 'valid')
        }
      }),
      { numRuns: 100 },
    )
  })
})

test('says everything in both languages', async () => {
  expect(
    await localeFaults('casing', [
      { options: { is: 'lower' }, text: 'Eins' },
      { options: { is: 'upper' }, text: 'Eins' },
    ]),
  ).toEqual([])
})
