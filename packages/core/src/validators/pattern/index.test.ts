import { describe, expect, test } from 'vitest'
import { Answer } from '../../answer/answer.ts'
import { contract } from '../../catalogue.ts'
import { check } from '../../engine/check/check.ts'
import { enforceStream } from '../../engine/enforce.ts'
import { scripted } from '../../runners/scripted.ts'
import { assertStreamable } from '../../testing/assert-streamable.ts'
import { localeFaults } from '../../testing/locale-faults.ts'
import { pattern } from './index.ts'

type Options = Parameters<typeof pattern>[0]

const rulesWith = (options: Options) => contract({ checks: [pattern(options)] })
const codesOf = async (options: Options, text: string): Promise<string[]> =>
  (await check(rulesWith(options), text)).issues.map(({ code }) => code)
const postscript = { regex: 'p\\.\\s?s\\.', ignoreCase: true }

describe('pattern', () => {
  test.each<[string, Options, string, string[]]>([
    ['a title', { require: [{ regex: '<<[^\\n]+>>' }] }, '<<Title>>\nText.', []],
    ['no title', { require: [{ regex: '<<[^\\n]+>>' }] }, '<<Title\n>>', ['PATTERN_MISSING']],
    ['a postscript in another case', { require: [postscript] }, 'Bye.\nP. S. More.', []],
    ['too few places', { require: [{ regex: '\\[[^\\]\\n]*\\]', min: 3 }] }, 'Dear [name], [city].', ['PATTERN_COUNT']],
    ['enough places', { require: [{ regex: '\\[[^\\]\\n]*\\]', min: 2 }] }, 'Dear [name], [city].', []],
    ['too many', { require: [{ regex: '!', max: 1 }] }, 'Hi! Ho!', ['PATTERN_COUNT']],
    ['none of what is only limited', { require: [{ regex: '!', max: 1 }] }, 'Hi.', []],
    ['denied', { deny: [{ regex: '\\bTODO\\b' }] }, 'A TODO.', ['PATTERN_DENIED']],
    ['denied in another case', { deny: [{ regex: 'todo' }] }, 'A TODO.', []],
    ['denied more than once', { deny: [{ regex: 'a+', max: 1 }] }, 'aaa b aa', ['PATTERN_COUNT']],
    ['start and end are those of the answer', { require: [{ regex: '^Hi' }, { regex: 'bye\\.$' }] }, '<think>x</think>Hi and\nbye.', []],
    ['a line is not the answer', { require: [{ regex: '^Hi' }] }, 'So\nHi', ['PATTERN_MISSING']],
    ['reasoning does not count', { deny: [{ regex: 'secret' }] }, '<think>secret</think>x', []],
    ['emoji are one character', { deny: [{ regex: '^.$' }] }, '👍', ['PATTERN_DENIED']],
  ])('%s', async (_name, options, text, codes) => {
    expect(await codesOf(options, text)).toEqual(codes)
    await assertStreamable(rulesWith(options), text)
  })

  test.each<[string, unknown, RegExp]>([
    ['no rule', {}, /pattern: .*no rule; give require or deny/],
    ['an empty list', { deny: [] }, /pattern\.deny/],
    ['an open group', { deny: [{ regex: 'ab(c' }] }, /deny\.0\.regex: .*a \( is not closed, at character 3/],
    ['an open class', { require: [{ regex: 'a[b' }] }, /require\.0\.regex: .*a \[ is not closed, at character 2/],
    ['a look-behind', { deny: [{ regex: '(?<=a)b' }] }, /deny\.0\.regex: .*look-around/],
    [
      'a look-ahead at the start',
      { deny: [{ regex: '^(?!Hello)[A-Z]' }] },
      /deny\.0\.regex: .*look-around is not supported here, because it would not run in linear time, at character 2/,
    ],
    ['a back-reference', { deny: [{ regex: '(a)\\1' }] }, /deny\.0\.regex: /],
    ['a repetition of nothing', { deny: [{ regex: 'a|*' }] }, /deny\.0\.regex: .*, at character 3/],
    ['the empty text', { deny: [{ regex: 'a*' }] }, /matches the empty text/],
    ['min above max', { require: [{ regex: 'a', min: 2, max: 1 }] }, /min is greater than max/],
    ['min in deny', { deny: [{ regex: 'a', min: 1 }] }, /min applies to require only/],
    ['a pattern that is too large', { deny: [{ regex: '(?:a{1000}){1000}' }] }, /deny\.0\.regex/],
  ])('%s is a configuration error', (_name, options, message) => {
    expect(() => contract({ checks: [{ pattern: options as object }] })).toThrow(message)
  })

  test('what must be said may follow tool calls', async () => {
    const called = (text: string) => new Answer(text, { toolCalls: [{ name: 'f', arguments: '{}' }] })
    const rules = rulesWith({ require: [{ regex: 'a' }, { regex: 'b', min: 2 }], deny: [{ regex: 'z' }] })
    expect((await check(rules, called('b'))).issues).toEqual([])
    expect((await check(rules, called('xyz'))).issues).toMatchObject([{ code: 'PATTERN_DENIED', span: { start: 2, end: 3 } }])
  })

  test('says what matches and where, in a stream as far as it is certain', async () => {
    const text = 'A first line.\r\nIt costs 1000 EUR.'
    const rules = rulesWith({ deny: [{ regex: '\\d+' }] })
    const said = 'in line 2, which matches the regular expression "\\d+".'
    expect((await check(rules, text)).issues.map(({ message }) => message)).toEqual([`Write nothing like "1000" ${said}`])
    const runner = scripted([{ chunks: [...text] }])
    const stream = enforceStream({ contract: { ...rules, policy: { ...rules.policy, retries: 0 } }, runner, prompt: '' })
    for await (const _piece of stream);
    expect((await stream.outcome).issues.map(({ message }) => message)).toEqual([`Write nothing like "10…" ${said}`])
  })

  test('hostile texts take linear time, or are too complex', { timeout: 60_000 }, async () => {
    expect(await codesOf({ deny: [{ regex: '(?:x+x+)+y' }] }, 'x'.repeat(100_000))).toEqual([])
    expect(await codesOf({ deny: [{ regex: 'a(?:.*b)?', max: 5000 }] }, 'a'.repeat(200_000))).toEqual(['TOO_COMPLEX'])
  })
})

test('says everything in both languages', async () => {
  expect(
    await localeFaults('pattern', [{ options: { require: [{ regex: 'x' }, { regex: 'y', min: 2 }], deny: [{ regex: 'd' }] }, text: 'd' }]),
  ).toEqual([])
})
