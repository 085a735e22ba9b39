import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Answer } from '../../answer/answer.ts'
import { contract } from '../../catalogue.ts'
import type { RepairClass } from '../../contract/certificate.ts'
import { check } from '../../engine/check/check.ts'
import { enforceStream } from '../../engine/enforce.ts'
import { settle } from '../../engine/repair/settle.ts'
import { scripted } from '../../runners/scripted.ts'
import { assertStreamable } from '../../testing/assert-streamable.ts'
import { oneOf } from './index.ts'

const values = ['yes', 'no', 'not sure', 'N/A', '...']
const rule = (allow: RepairClass[] = ['lossless'], caseSensitive = true) => contract({ checks: [oneOf({ values, caseSensitive })], allow })

describe('one_of', () => {
  test.each([
    ['yes', 'valid', 'yes'],
    [' \nnot sure\n', 'valid', ' \nnot sure\n'],
    ['<think>no</think>yes', 'valid', '<think>no</think>yes'],
    ['Yes.', 'repaired', 'yes'],
    ['**Not  sure!**\n', 'repaired', 'not sure\n'],
    ['"n/a"', 'repaired', 'N/A'],
    ['...', 'valid', '...'],
    ['yse', 'unresolved', 'yse'],
    ['yes and no', 'unresolved', 'yes and no'],
    ['', 'unresolved', ''],
  ])('%j is %s', async (text, status, expected) => {
    const settled = await settle(rule(), text)
    expect([settled.status, settled.answer.text]).toEqual([status, expected])
  })

  test.each([
    ['not shure', 'not sure'],
    ['The answer is: yes, of course', 'yes'],
    ['I am not sure about it', 'not sure'],
    ['yes or no', undefined],
    ['something else entirely', undefined],
  ])('guesses at %j where it may', async (text, expected) => {
    const { status, answer, repairs } = await settle(rule(['lossless', 'guess']), text)
    expect(status).toBe(expected === undefined ? 'unresolved' : 'repaired')
    if (expected !== undefined) expect([answer.text, repairs.map((one) => one.class)]).toEqual([expected, ['guess']])
  })

  test('takes any case as it is when case does not matter', async () => {
    expect((await settle(rule([], false), 'YES')).answer.text).toBe('YES')
    expect((await check(rule(), 'Yess')).issues).toMatchObject([
      {
        message: 'Answer with exactly yes, no, "not sure", N/A or ...; the answer is Yess.',
        suggestion: 'yes',
        hint: 'Probably meant: yes. Write nothing before or after it: no explanation, no quotes, no full stop.',
      },
    ])
  })

  test('waits for the answer while tools are called', async () => {
    expect((await check(rule(), new Answer('', { toolCalls: [{ name: 'f', arguments: '{}' }] }))).issues).toEqual([])
  })

  test.each([{}, { values: [] }, { values: ['a', ' a '] }, { values: [' '] }, { values: [1] }, { value: ['a'] }])(
    '%j is a configuration error',
    (options) => {
      expect(() => contract({ checks: [{ one_of: options as never }] })).toThrow(/one_of/)
    },
  )

  test('L51 stops a stream with the first character that no value has', async () => {
    const runner = scripted([{ text: 'not really, because it depends', chunkSize: 1 }])
    const answer = enforceStream({ contract: contract({ checks: [oneOf({ values })], retries: 0 }), runner, prompt: '' })
    for await (const piece of answer) expect.unreachable(piece)
    expect([(await answer.outcome).status, runner.calls[0]?.taken]).toEqual(['unresolved', 5])
  })

  test('waits for the value behind what stands around it', async () => {
    for (const text of ['*yes*', '("no")', '...', '. . yes']) await assertStreamable(rule(), text)
  })

  test('L52 is judged as the whole, for every way to cut it, and stays repaired', async () => {
    const piece = fc.constantFrom(
      'yes',
      'Yes',
      'no',
      ' ',
      'not',
      'sure',
      '"',
      '.',
      '*',
      'N/A',
      '\n',
      '<think>',
      '</think>',
      'x',
      '👍',
      '(',
      'ſ',
    )
    const text = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''))
    const allow = fc.subarray<RepairClass>(['lossless', 'guess'])
    await fc.assert(
      fc.asyncProperty(text, allow, fc.boolean(), async (said, classes, isSensitive) => {
        await assertStreamable(rule(classes, isSensitive), said, [1, 3])
        const { status, answer } = await settle(rule(classes, isSensitive), said)
        if (status === 'repaired') expect((await check(rule(classes, isSensitive), answer.text)).issues).toEqual([])
      }),
      { numRuns: 200 },
    )
  })

  test('a flood costs no more than a word', { timeout: 10_000 }, async () => {
    for (const flood of [' '.repeat(1e6), '"'.repeat(1e6), 'yes'.repeat(1e6), `${' '.repeat(1e6)}yes`])
      await assertStreamable(rule(), flood, [20])
  })
})
