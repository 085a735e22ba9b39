import fc from 'fast-check'
import { test } from 'vitest'
import { pageCheck } from '../../../../../tools/docs/page-check.mjs'
import { catalogue } from '../../../../presets/src/testing/contract.ts'
import { assertStreamable } from '../../testing/assert-streamable.ts'
import { repairClasses } from '../certificate.ts'
import { buildContract, type ContractInput } from '../contract.ts'
import type { Ports } from '../ports.ts'

/** What validators are tried on beside their page and `anywhere`. */
interface Trial {
  /** Checks with other options than the one that the page shows first. */
  readonly check?: fc.Arbitrary<object>
  /** Pieces of text that matter to them. */
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
  '# A\n',
  '---\n',
  '[a](https://b.com/c)',
  '[^1]',
  '[1]',
  '{"a": [1]}',
  '<b>',
  '<!-- STEP: done -->',
  'a@b.com',
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
  links: {
    check: oneOfThem(
      { links: { hosts: ['acme.com', '*.acme.com'], schemes: ['https'] } },
      { links: { denied: ['b.com'], relative: false } },
    ),
    pieces: [
      ...['https://b.com', 'http:', '//', 'b.com', 'www.', 'acme.com', '.acme.com', '@b.com', '/x', '#part', '?', '%2e', '\\', '&#46;'],
      ...['[', ']', '](', ')', '![', '<', '>', '[a]: ', '<a href="', '<img src=', '"', 'javascript:', 'data:text/html,'],
    ],
  },
  markdown: {
    check: fc.record({
      markdown: fc
        .record(
          {
            headings: oneOfThem({ levels: [2, 3] }, { max: 1, required: ['A'] }),
            bullets: limit,
            numberedItems: limit,
            numberedLists: limit,
            highlights: limit,
            tables: limit,
            codeBlocks: limit,
            html: oneOfThem('none', 'inert'),
          },
          { requiredKeys: [] },
        )
        .filter((given) => Object.keys(given).length > 0),
    }),
    pieces: [
      ...['## A\n', '#### B\n', 'A\n===\n', '* a\n', '+ b\n', '1. c\n', '2) d\n', '  ', '**', '*', '__', '~~~\n', '---\n'],
      ...['| a | b |\n', '| - | - |\n', '<b>', '</b>', '<script>', '<!--', '-->', '&lt;', 'onclick='],
    ],
  },
  citations: {
    check: fc.record({
      citations: fc.record({
        styles: fc.subarray(['caret', 'bracket', 'lenticular'], { minLength: 1 }),
        requireCitations: oneOfThem<boolean | 'paragraph'>(true, false, 'paragraph'),
        dropUnsupported: fc.boolean(),
        release: oneOfThem('text', 'line'),
      }),
    }),
    pieces: ['[^1]', '[^9]', '[^', '[1', ']', '[2]', '【1】', '【', '[^1][^2]', '[^a]', 'It is so. ', 'Why? ', '[^1]: ', '\\'],
  },
  sensitive: {
    check: fc.record({
      sensitive: fc.record({ redact: fc.boolean(), allowed: oneOfThem([], ['@b.com']), placeholders: fc.constant('reject') }),
    }),
    pieces: [
      ...['ann@', 'ann@b.com', '@acme.org', '.', '-', '+49 ', '030 ', '1234567', '4111 1111 ', '1111 1111', 'DE89 3704 0044 0532 0130 00'],
      ...['123-45-6789', 'sk-', 'abcdefghijklmnopqrstuvwxyz0123456789', 'eyJhbGciOiJIUzI1NiJ9.', '-----BEGIN PRIVATE KEY-----\n'],
    ],
  },
}

const rule = { ask: async () => ({ issues: [] }) }
const ports: Ports = {
  files: { kind: async () => 'missing', list: async () => ['src/a.ts'] },
  parser: { parse: async () => ({ verdict: 'valid' }) },
  remote: rule,
  command: rule,
}
const context = { sources: 3, tools: [], question: 'Which file?', context: ['The file src/a.ts.'], prompt: 'Which file?' }

const allow = fc.subarray([...repairClasses])
const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 3 })

test.each(catalogue.validators.map(({ definition }) => definition.name))(
  '%s judges any text in a stream as it judges it whole, however it is cut',
  { timeout: 30_000 },
  async (name) => {
    const { check, pieces = [] } = trials[name] ?? {}
    const shown = fc.constant(pageCheck(name))
    const piece = fc.oneof(
      { weight: 3, arbitrary: oneOfThem(...(pieces.length > 0 ? pieces : anywhere)) },
      oneOfThem(...anywhere, ...reasoning),
    )
    const text = fc.array(piece, { maxLength: 14 }).map((parts) => parts.join(''))
    await fc.assert(
      fc.asyncProperty(check ? fc.oneof({ weight: 5, arbitrary: check }, shown) : shown, text, allow, sizes, (one, said, classes, cut) => {
        const rules = buildContract({ checks: [one], allow: classes } as ContractInput, catalogue)
        return assertStreamable(rules, said, [1, cut], { context, ports })
      }),
      { numRuns: 150 },
    )
  },
)
