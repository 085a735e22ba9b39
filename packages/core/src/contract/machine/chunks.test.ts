import fc from 'fast-check'
import { test } from 'vitest'
import { contract, type NamedCheck } from '../../catalogue.ts'
import { assertStreamable } from '../../testing/assert-streamable.ts'
import type { RepairClass } from '../certificate.ts'

/** What validators with a machine are tried on: their options, and pieces of text that matter to them. */
interface Trial {
  readonly check: fc.Arbitrary<NamedCheck>
  readonly pieces: readonly string[]
}

const anywhere = [
  'a',
  'Bc ',
  ' ',
  '\n',
  '\n\n',
  '\r\n',
  '\t',
  '. ',
  ':',
  '"',
  '(',
  '`',
  '```\n',
  '> ',
  '- ',
  '👍',
  'é',
  'e\u0301',
  'ß',
  'İ',
]
const reasoning = ['<think>', '</think>']
const few = fc.integer({ min: 0, max: 4 })
const limit = fc.record({ max: few })
const oneOfThem = <Value>(...values: Value[]): fc.Arbitrary<Value> => fc.constantFrom(...values)

const trials: Readonly<Record<string, Trial>> = {
  max_words: {
    check: fc.record({ max_words: fc.record({ limit: fc.integer({ min: 1, max: 4 }) }) }),
    pieces: ['\u00a0', '\u2003', '\ud83d'],
  },
  length: {
    check: fc.record({
      length: fc
        .record(
          {
            words: limit,
            characters: fc.record({ max: fc.nat(30) }),
            sentences: limit,
            lines: limit,
            paragraphs: limit,
            parts: fc.record({ separator: oneOfThem('***', '******', '-*-', '\n---\n'), max: few }),
          },
          { requiredKeys: [] },
        )
        .filter((given) => Object.keys(given).length > 0),
    }),
    pieces: [
      '! ',
      'e.g. ',
      '... ',
      '*',
      '***',
      '******',
      '-*',
      '\n---\n',
      '---',
      '\r',
      '—',
      '。',
      '1. ',
      '“',
      '”',
      'नमस्ते',
      '\u200b',
      '\ufeff',
    ],
  },
  contains: {
    check: fc.record({
      contains: fc.record({
        counts: fc.array(fc.record({ text: oneOfThem('a', 'ab', 'b a', '_', 'é', '猫'), max: few }), { minLength: 1, maxLength: 3 }),
        none: oneOfThem(['ba'], [{ text: 'b', replace: 'x' }]),
        wholeWords: fc.boolean(),
        caseSensitive: fc.boolean(),
      }),
    }),
    pieces: ['b', 'A', 'ab', '_', '猫', '1'],
  },
  pattern: {
    check: fc.record({
      pattern: fc.record({
        deny: fc.array(
          fc.record({
            regex: oneOfThem('a+b', '<<[^\\n]+>>', 'a(?:.*b)?', '\\bab\\b', 'a$', '^b', '(?:ab|b)c*', '[^a]b'),
            max: fc.integer({ min: 0, max: 2 }),
          }),
          { minLength: 1, maxLength: 3 },
        ),
        require: fc.constant([{ regex: 'c', max: 3 }]),
      }),
    }),
    pieces: ['b', 'c', '<', '<<', '>>'],
  },
  placeholders: {
    check: fc.record({ placeholders: fc.record({ code: fc.boolean() }) }),
    pieces: [
      ...['[', ']', '[Your Name]', '[^1]', '; ', '= ', '{', '}', '{topic}', '{{', '<', '>', '<your x>', 'TODO', 'TBD'],
      ...['Lorem ipsum', ' dolor'],
    ],
  },
  boilerplate: {
    check: fc.record({ boilerplate: fc.record({ remove: fc.boolean() }) }),
    pieces: [
      'Sure! ',
      'Here is the list:',
      'as an AI, I',
      ' I cannot help',
      'Let me',
      '\n\nLet me know if you need more.',
      ' I hope this helps!',
    ],
  },
  leaks: {
    check: fc.record({ leaks: fc.record({ code: fc.boolean() }) }),
    pieces: ['<|im_end|>', '[INST]', '</s>', '<s>', '<|', '|>', 'Fine. ', 'User: ', 'assistant', '### ', '<', '['],
  },
  affixes: {
    check: fc.record({
      affixes: fc
        .record(
          {
            starts: oneOfThem('I think', 'I', '"I', '👍', 'İ'),
            ends: oneOfThem('Peace!', '"', 'so', 'ß'),
            wrappedIn: oneOfThem<string | [string, string]>('"', '"I', ['I', '"'], ['"', 'so']),
            caseSensitive: fc.boolean(),
          },
          { requiredKeys: [] },
        )
        .filter(({ starts, ends, wrappedIn }) => starts !== undefined || ends !== undefined || wrappedIn !== undefined),
    }),
    pieces: ['I', 'think', 'THINK', 'Peace!', 'peace', '""', 'so'],
  },
  casing: { check: fc.record({ casing: fc.record({ is: oneOfThem('lower' as const, 'upper' as const) }) }), pieces: ['B', 'ǆ', 'Σ', '𐐀'] },
  one_of: {
    check: fc.record({ one_of: fc.record({ values: fc.constant(['yes', 'no', 'N/A', 'not sure']), caseSensitive: fc.boolean() }) }),
    pieces: ['yes', 'Yes', 'no', 'not', 'sure', '.', '*', 'N/A', 'x', 'ſ'],
  },
}

const allow = fc.subarray<RepairClass>(['lossless', 'lossy', 'guess'])
const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 3 })

test.each(Object.entries(trials))(
  '%s judges any text in a stream as it judges it whole, however it is cut',
  async (_name, { check, pieces }) => {
    const piece = fc.oneof({ weight: 3, arbitrary: oneOfThem(...pieces) }, oneOfThem(...anywhere, ...reasoning))
    const text = fc.array(piece, { maxLength: 14 }).map((parts) => parts.join(''))
    await fc.assert(
      fc.asyncProperty(check, text, allow, sizes, (one, said, classes, cut) =>
        assertStreamable(contract({ checks: [one], allow: classes }), said, [1, cut]),
      ),
      { numRuns: 150 },
    )
  },
)
