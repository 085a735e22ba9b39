import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cutText } from '../../../../attack/generators/chunks.ts'
import { contracts } from '../../../../attack/generators/contracts.ts'
import { mixedTexts } from '../../../../attack/generators/texts.ts'
import { wrongShown } from '../../../../attack/oracles/shown.ts'
import { type ContractByName, contract } from '../../../presets/src/testing/contract.ts'
import type { Contract } from '../contract/contract.ts'
import type { FilePort } from '../contract/ports.ts'
import { scripted } from '../runners/scripted.ts'
import { assertStreamable } from '../testing/assert-streamable.ts'
import { check } from './check/check.ts'
import { enforceStream } from './enforce.ts'
import { VerifiedStream } from './stream/stream.ts'

const runs = 250

const files: FilePort = {
  kind: async (path) => (path.startsWith('src') ? 'file' : 'missing'),
  list: async () => ['src/a.ts', 'src/b.ts'],
}

/** With tools, text may be a call. */
const contexts = fc.constantFrom({}, { tools: [{ name: 'get_weather' }, { name: 'a' }] })

const sizes = fc.array(fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 10, max: 90 })), { minLength: 1, maxLength: 6 })

/** Long starts, which validators look at only now and then to stay linear. */
const longStarts = fc
  .tuple(
    fc.constantFrom('{"a": "', '[{"a": "', '```json\n{"a": "', '```\nget_weather(a="', 'get_weather(a="', '<think>', '---\nkey: '),
    fc.integer({ min: 40, max: 130 }),
    fc.constantFrom('"} ', '"}\n```\n', '")\n', '")\n```\n', '</think>', '\n---\n', '"}] '),
  )
  .map(([open, length, close]) => `${open}${'x'.repeat(length)}${close}`)

const texts = fc.oneof(
  { weight: 3, arbitrary: mixedTexts },
  { weight: 1, arbitrary: fc.tuple(longStarts, mixedTexts).map((two) => two.join('')) },
)

describe('a contract', () => {
  test.each<[string, ContractByName, string]>([
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

  test('stops where it would character by character, though text that may be a call is looked at only now and then', async () => {
    const rules = contract({ checks: ['citations', { max_words: { limit: 3 } }, 'tool_calls'] })
    const context = { tools: [{ name: 'ping', parameters: {} }], sources: 2 }
    for (const start of [`{"note": "${'x'.repeat(62)}"}`, `\`\`\`json\n{"note": "${'x'.repeat(62)}"}\n\`\`\`\n`])
      await assertStreamable(rules, `${start} no, see [^9]!`, [1, 2, 7, 16, 33, 200], { context })
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

test('nor is it shown up to where another validator holds the one that follows', async () => {
  const rules = contract({ checks: ['json', { step_marker: { requireAtEnd: false } }], retries: 1 })
  await showsOnlyDelivered(rules, ['<!-- STEP: do\nne -->~~~\n<!-- STEP: done --><pre>\na', 'a'], [1])
})

test('a wrong header in a fence is not shown where no header is required', async () => {
  const rules = contract({ checks: [{ adr_structure: { profile: 'nygard', required: true, fields: ['key'] } }], retries: 1 })
  await showsOnlyDelivered(rules, ['```yaml\nadr_id: 1\n```\n', 'Use spaces.'], [5])
})

describe('any contract on any text', { timeout: 3_600_000 }, () => {
  test('gives one verdict, whole and streamed, however the text is cut', async () => {
    await fc.assert(
      fc.asyncProperty(contracts, texts, sizes, contexts, (rules, text, lengths, context) =>
        assertStreamable(contract(rules), text, [1, lengths], { context }),
      ),
      { numRuns: runs },
    )
  })

  test('tells the model of a stopped text only what is wrong with the whole text too', async () => {
    await fc.assert(
      fc.asyncProperty(contracts, texts, fc.oneof(sizes, fc.constant([60])), async (rules, text, lengths) => {
        const built = contract(rules)
        const options = { context: {}, ports: { files } }
        const around = { ...options, locale: built.policy.locale, signal: new AbortController().signal }
        const stream = new VerifiedStream(built, around, { release: 'hold', repairs: false, stops: true })
        const known = cutText(text, lengths)
          .map((chunk) => stream.take(chunk).doom?.known)
          .find((issues) => issues !== undefined)
        const left = (await check(built, text, options)).issues.map(({ validator, code }) => `${validator}/${code}`)
        for (const { validator, code } of known ?? []) {
          const at = left.indexOf(`${validator}/${code}`)
          // Of a text that breaks its syntax later, nothing is said about the schema.
          const isHidden = code === 'SCHEMA_MISMATCH' && left.some((other) => /^json\/(?:INVALID|AMBIGUOUS)_JSON$/.test(other))
          expect([validator, code, at >= 0 || isHidden]).toEqual([validator, code, true])
          if (at >= 0) left.splice(at, 1)
        }
      }),
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
        contexts,
        async (rules, turns, lengths, stream, context) => {
          await showsOnlyDelivered(contract({ ...rules, stream, retries: turns.length - 1 }), turns, lengths, context)
        },
      ),
      { numRuns: runs },
    )
  })
})

/** Runs a conversation as a stream and compares what was shown with what came of it. */
async function showsOnlyDelivered(rules: Contract, turns: readonly string[], lengths: readonly number[], context = {}): Promise<void> {
  const runner = scripted(turns.map((text) => ({ chunks: cutText(text, lengths) })))
  const enforced = enforceStream({ contract: rules, runner, prompt: '', ports: { files }, context })
  let shown = ''
  for await (const piece of enforced) shown += piece
  const outcome = await enforced.outcome
  if (outcome.status === 'failed') return
  expect(outcome.text.startsWith(shown)).toBe(true)
  if (rules.policy.mode !== 'strict') return
  if (outcome.status === 'valid' || outcome.status === 'repaired') expect(shown).toBe(outcome.text)
  expect(wrongShown(outcome, shown)).toBeUndefined()
}
