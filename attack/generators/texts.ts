import fc from 'fast-check'
import { adr, calls, citations, json, markdown, mentions, steps } from '../../bench/complexity/grammars.mjs'
import type { Grammar } from '../../bench/complexity/recipes.mjs'

/** What texts of every kind are made of: whole things, halves of them, and what stands between. */
const pieces = [
  ...[
    'a',
    'Text. ',
    'Text',
    ' ',
    '  ',
    '\n',
    '\n',
    '\n\n',
    '\r\n',
    '\r',
    '\t',
    '    ',
    ':',
    '.',
    '👍',
    '\ud83d',
    '\ude00',
    '\u200b',
    '\ufeff',
    '\u00a0',
  ],
  ...[
    '[^1]',
    '[^9]',
    '[^x]',
    '[^',
    '[1]',
    '【9】',
    ']',
    '[',
    '`',
    '``',
    '```',
    '```\n',
    '~~~\n',
    '\\',
    '<',
    '>',
    '"',
    '](',
    '[x](`)',
    '<a t="`">',
    '|',
    '\n|-|\n',
  ],
  ...[
    '<!-- STEP: done -->',
    '<!-- STEP: do\nne -->',
    '<!-- STEP: ',
    'done -->',
    '<!--',
    '-->',
    '<div>',
    '</div>',
    '<think>',
    '</think>',
    '<pre>\n',
  ],
  ...[
    '- ',
    '- [ ] ',
    '- [x] a\n',
    '> ',
    '1. ',
    '# ',
    '## a\n',
    '# ADR-001\n',
    '---\n',
    '===\n',
    'key: v\n',
    'files:\n',
    '  modify:\n',
    '    - src/a.ts\n',
    '    - lost.ts\n',
    '```yaml\n',
  ],
  ...[
    '{',
    '}',
    '{"a": 1}',
    '{"a": 1,',
    '"a"',
    ': ',
    ',',
    'null',
    '/*',
    '*/',
    "{'a': 1}",
    'get_weather(',
    'tool_x',
    '<tool_call>',
    '</tool_call>',
    '{"name": "x", "arguments": {}}',
  ],
]

/** Texts that have a little of everything. */
export const mixedTexts: fc.Arbitrary<string> = fc
  .array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 14 })
  .map((list) => list.join(''))

/** What the scanners of a validator look for. */
const grammars: Readonly<Record<string, Grammar>> = {
  adr_structure: adr,
  file_existence: adr,
  citations,
  json,
  phantom_tools: mentions,
  step_marker: steps,
  tool_calls: calls,
}

/** Answers that many contracts are content with. */
const good = [
  'Use spaces.',
  'Fine [^1].',
  '{"a": 1}',
  '```json\n{"a": 1}\n```\n',
  'All done.\n\n<!-- STEP: done -->',
  '---\nkey: v\nfiles:\n  modify:\n    - src/a.ts\n---\n\n# ADR-001\n\n## a\n\nx [^1]\n',
]

/** Hostile mixtures for the validators of a contract, and now and then a good answer. */
export function textsFor(names: readonly string[]): fc.Arbitrary<string> {
  const grammar = names.map((name) => grammars[name] ?? markdown)
  const tokens = fc.constantFrom(...grammar.flatMap((one) => one.tokens))
  const starts = fc.constantFrom('', ...grammar.flatMap((one) => one.starts))
  const hostile = fc.tuple(starts, fc.array(fc.oneof(tokens, fc.constantFrom(...pieces)), { maxLength: 12 }))
  return fc.oneof(
    { weight: 3, arbitrary: mixedTexts },
    { weight: 3, arbitrary: hostile.map(([start, list]) => start + list.join('')) },
    { weight: 2, arbitrary: fc.constantFrom(...good) },
    { weight: 2, arbitrary: fc.tuple(fc.constantFrom(...good), mixedTexts).map((two) => two.join(' ')) },
  )
}
