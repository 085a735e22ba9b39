import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contract } from '../catalogue.ts'
import type { Contract, ContractInput } from '../contract/contract.ts'
import type { FilePort } from '../contract/ports.ts'
import { scripted } from '../runners/scripted.ts'
import { assertStreamable } from '../testing/assert-streamable.ts'
import { enforceStream } from './enforce.ts'
import { errorsOf } from './report.ts'

/** A long run while developing: `FUZZ_RUNS=200000 npx vitest run any-contract`. */
const runs = Number(process.env.FUZZ_RUNS ?? 250)

const files: FilePort = {
  kind: async (path) => (path.startsWith('src') ? 'file' : 'missing'),
  list: async () => ['src/a.ts', 'src/b.ts'],
}

const optional = <Value>(arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> => fc.option(arbitrary, { nil: undefined })
const pruned = (options: object): object => Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))

/** Every validator of the catalogue, with random options. */
const validators: Readonly<Record<string, fc.Arbitrary<object>>> = {
  adr_structure: fc.record({
    profile: fc.constantFrom('helix', 'madr', 'nygard'),
    language: fc.constantFrom('de', 'en'),
    required: fc.boolean(),
    fields: optional(fc.constantFrom(['key'], ['key', 'files'])),
    sections: optional(fc.constantFrom(['a'], ['a', 'Kontext'])),
    minCriteria: fc.constantFrom(0, 1),
  }),
  citations: fc.oneof(
    fc.record({
      styles: fc.subarray(['caret', 'bracket', 'lenticular'], { minLength: 1 }),
      requireCitations: fc.constantFrom(false, true, 'paragraph'),
      dropUnsupported: fc.boolean(),
      sources: optional(fc.constantFrom(0, 1, 2)),
    }),
    fc.record({ profile: fc.constant('reddb'), sources: optional(fc.constantFrom(0, 1)) }),
  ),
  file_existence: fc.record({ maxEntries: optional(fc.constantFrom(1, 5)) }),
  json: fc.record({
    schema: optional(fc.constantFrom({ type: 'object' }, { type: 'object', required: ['a'] }, true)),
    partial: optional(fc.boolean()),
    allow: optional(fc.subarray(['lossless', 'lossy', 'guess'])),
  }),
  max_words: fc.record({ limit: fc.integer({ min: 1, max: 8 }) }),
  phantom_tools: fc.record({}),
  step_marker: fc.record({ requireAtEnd: fc.boolean(), default: fc.constantFrom('what', 'done') }),
  tool_calls: fc.record({ strict: fc.boolean() }),
  tool_sequence: fc.record({ never: optional(fc.constantFrom(['x'])), strict: fc.boolean() }),
}

const names = Object.keys(validators)
const check = (name: string): fc.Arbitrary<object> =>
  (validators[name] as fc.Arbitrary<object>).map((options) => ({ [name]: pruned(options) }))
const checks = fc.subarray(names, { minLength: 1, maxLength: 4 }).chain((chosen) => fc.tuple(...chosen.map(check)))
const policies: fc.Arbitrary<ContractInput> = fc.record({
  mode: fc.constantFrom('strict' as const, 'strict' as const, 'lenient' as const, 'shadow' as const),
  repair: fc.constantFrom('first' as const, 'last' as const, 'never' as const),
  allow: fc.subarray(['lossless', 'lossy', 'guess'] as const).map((classes) => [...classes]),
  locale: fc.constantFrom('de' as const, 'en' as const),
  unchecked: fc.constantFrom('deliver' as const, 'withhold' as const),
})
const contracts: fc.Arbitrary<ContractInput> = fc
  .tuple(policies, checks)
  .map(([policy, list]) => ({ ...policy, checks: list as ContractInput['checks'] }) as ContractInput)

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
const texts = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 14 }).map((list) => list.join(''))
const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 6 })

describe('a contract', () => {
  test.each<[string, ContractInput, string]>([
    [
      'a citation in HTML supports no paragraph above',
      { checks: [{ citations: { sources: 1, requireCitations: 'paragraph' } }] },
      '\na\n<div>[^1]a</div>\n\n',
    ],
    [
      'a repair may take away a word too many',
      { checks: ['step_marker', { max_words: { limit: 8 } }] },
      '<!-- STEP: do\nne -->\r- [ ] a\n',
    ],
    [
      'of two failures the one that is certain first counts',
      { checks: [{ citations: { sources: 1, requireCitations: 'paragraph' } }, { max_words: { limit: 1 } }] },
      'a\n## a\n',
    ],
  ])('streams as it checks: %s', async (_name, rules, text) => {
    await assertStreamable(contract(rules), text)
  })
})

test('an invalid marker is not shown because another one follows', async () => {
  const wrong = '<!-- STEP: nope -->'
  await showsOnlyDelivered(
    contract({ checks: ['step_marker'], repair: 'never', retries: 1 }),
    [`${wrong}\n${wrong}\n${wrong}\na`, 'a'],
    [1],
  )
})

describe('any contract on any text', { timeout: 3_600_000 }, () => {
  test('gives one verdict, whole and streamed, however the text is cut', async () => {
    await fc.assert(
      fc.asyncProperty(contracts, texts, sizes, (rules, text, lengths) => assertStreamable(contract(rules), text, [1, lengths])),
      { numRuns: runs },
    )
  })

  test('shows only what it delivers', async () => {
    await fc.assert(
      fc.asyncProperty(
        contracts,
        fc.array(texts, { minLength: 1, maxLength: 3 }),
        sizes,
        fc.constantFrom('verified' as const, 'hold' as const),
        async (rules, turns, lengths, stream) => {
          await showsOnlyDelivered(contract({ ...rules, stream, retries: turns.length - 1 }), turns, lengths)
        },
      ),
      { numRuns: runs },
    )
  })
})

/** Runs a conversation as a stream and compares what was shown with what came of it. */
async function showsOnlyDelivered(rules: Contract, turns: readonly string[], lengths: readonly number[]): Promise<void> {
  const runner = scripted(turns.map((text) => ({ chunks: cut(text, lengths) })))
  const enforced = enforceStream({ contract: rules, runner, prompt: '', ports: { files } })
  let shown = ''
  for await (const piece of enforced) shown += piece
  const outcome = await enforced.outcome
  if (outcome.status === 'failed') return
  expect(outcome.text.startsWith(shown)).toBe(true)
  if (rules.policy.mode !== 'strict') return
  if (outcome.status === 'valid' || outcome.status === 'repaired') expect(shown).toBe(outcome.text)
  // Nothing of what is wrong is shown; a marker that has to stand at the end may still follow.
  const wrong = outcome.status === 'unresolved' ? errorsOf(outcome).filter(({ code }) => code !== 'MISSING_STEP_MARKER') : []
  for (const { code, span } of wrong) {
    if (span === undefined) continue
    // What is shown in part can still be completed as it should be; a paragraph can be given its citation up to its end.
    expect(shown.length).toBeLessThanOrEqual(code === 'CITATION_MISSING' ? span.end : span.end - 1)
  }
}

function cut(text: string, lengths: readonly number[]): string[] {
  const chunks: string[] = []
  for (let at = 0, turn = 0; at < text.length; turn++) {
    const length = lengths[turn % lengths.length] ?? 1
    chunks.push(text.slice(at, at + length))
    at += length
  }
  return chunks
}
