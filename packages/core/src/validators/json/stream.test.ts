import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Answer } from '../../answer/answer.ts'
import { AnswerReader } from '../../answer/reader.ts'
import { contract } from '../../catalogue.ts'
import type { RepairClass } from '../../contract/certificate.ts'
import { check } from '../../engine/check/check.ts'
import { repair } from '../../engine/repair/repair.ts'
import { assertStreamable } from '../../testing/assert-streamable.ts'
import { JsonProseStream } from './index.ts'

const runs = 300
const fence = '```'

/** How far the text is safe after the last of the chunks. */
function safe(chunks: readonly string[]): number {
  const reader = new AnswerReader()
  const stream = new JsonProseStream(false)
  let last = 0
  for (const chunk of chunks) {
    reader.push(chunk)
    const { safe: now } = stream.push(chunk, reader)
    expect(now).toBeGreaterThanOrEqual(last)
    last = now
  }
  return last
}

describe('prose flows up to the value', () => {
  test.each<[string, string, string]>([
    ['prose', 'Here is the value that ', 'you'],
    ['the first word, which may be one', '', 'null '],
    ['the first word, when another follows', 'Here ', 'i'],
    ['a value alone', '', '{"a": 1}'],
    ['a text alone', '', '"Here is the value"'],
    ['a number alone', '', '12 '],
    ['a name that may be a function', '', 'answer ({"a": 1})'],
    ['prose before a value', 'Here it is: ', '{"a": 1} and more'],
    ['prose before a fence', 'Here it is:\n\n', `${fence}json\n{"a": 1}\n${fence}\nAnd more prose`],
    ['a word that is not apart', 'The set ', 'x{'],
    ['a reference', 'As in ', '[1], the value is {"a": 1}'],
    ['inline code', 'The key `a` of the ', 'value'],
    ['reasoning', '<think>{"a": 2}</think>\nHere it is: ', '{'],
    ['signs without words', '', '1 2 3 {"a": 1}'],
    ['words that come late', '', `true${' '.repeat(80)}story is this`],
  ])('%s', (_name, shown, held) => {
    const text = shown + held
    expect(text.slice(0, safe([text]))).toBe(shown)
    expect(text.slice(0, safe([...text]))).toBe(shown)
  })
})

const pieces = fc.constantFrom(
  ...['{"a": 1}', '{"a": 2}', '{"b": [1]}', '[1]', '["x"]', '[', ']', '{', '}', '"a"', '"', ':', ',', '1', '-', 'true', 'nul', 'None', "'"],
  ...[
    'Here it is',
    'is',
    'a',
    'answer',
    '(',
    ')',
    '//',
    '/* a */',
    ' ',
    '  ',
    '\n',
    '\n\n',
    '\r\n',
    '\t',
    '\u00a0',
    '\ufeff',
    ' '.repeat(70),
  ],
  ...[
    `${fence}json\n`,
    `${fence}\n`,
    `${fence}js\n`,
    `${fence}json5\n`,
    '[Your Name]',
    '- [ ] ',
    '[0, 1)',
    '.chat { height: 4px; }',
    '{a: 1}',
    'Here you are: ',
    fence,
    '`',
    '``',
    '~~~\n',
    '> ',
    '- ',
    '<think>',
    '</think>',
    '---\n',
    'a: b\n',
    'é',
    '\u{1f600}',
    'json',
  ],
)
const texts = fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join(''))
const sizes = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 6 })
const schema = { type: 'object', properties: { a: { type: 'integer', maximum: 1 } }, required: ['a'] }

describe('on any text', { timeout: 3_600_000 }, () => {
  test('nothing is released that a check finds wrong or a repair touches', async () => {
    const classes: RepairClass[] = ['lossless', 'lossy', 'guess']
    await fc.assert(
      fc.asyncProperty(
        texts,
        fc.constantFrom<object>({}, { schema }, { schema: { type: ['array', 'object'] } }, { partial: true }),
        async (text, options) => {
          const rules = contract({ checks: [{ json: options }] })
          const report = await check(rules, text)
          const { certificates } = await repair(rules, new Answer(text), report, { allow: classes })
          const starts = [...report.issues.flatMap(({ span }) => span ?? []), ...certificates.slice(0, 1).map(({ span }) => span)]
          expect(safe([...text])).toBeLessThanOrEqual(Math.min(text.length, ...starts.map(({ start }) => start)))
        },
      ),
      { numRuns: runs },
    )
  })

  test('the verdict, the value and the text are those of the whole check', async () => {
    await fc.assert(
      fc.asyncProperty(
        texts,
        sizes,
        fc.constantFrom<object>({}, { schema }, { schema: { type: ['array', 'object'] } }, { partial: true }),
        (text, lengths, options) => assertStreamable(contract({ checks: [{ json: options }] }), text, [1, lengths]),
      ),
      { numRuns: runs },
    )
  })
})
