import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { askedTerms, asksForReasons } from './asked-terms.ts'
import { rerank } from './rerank.ts'
import type { RetrievedChunk } from './retriever.ts'

const chunk = (urn: string, text: string, headings: readonly string[] = [], score = 1 / 61): RetrievedChunk => ({
  urn,
  text,
  headings,
  score,
  ranks: { text: 1 },
})
const first = (question: string, ...chunks: RetrievedChunk[]): string | undefined =>
  rerank(chunks, askedTerms(question), undefined, asksForReasons(question))[0]?.urn

describe('passages with the same ranks are ordered by', () => {
  const other = chunk('a.md#L1', 'Budgets are explained elsewhere.', ['Other'])
  test.each<[string, RetrievedChunk[]]>([
    ['a heading', [other, chunk('b.md#L1', 'Elsewhere.', ['Guide', 'Budgets'])]],
    [
      'the name of the file, without its number',
      [chunk('b/0025-other.md#L1', 'Budgets are explained elsewhere.', ['Other']), chunk('b/0026-budgets.md#L1', 'Elsewhere.')],
    ],
    ['links of other passages', [chunk('c/b.md#L1', 'Here.'), chunk('c/a.md#L1', 'Here.'), chunk('d/x.md#L1', 'See [it](../c/b.md#how).')]],
    ['words that are written in another form', [other, chunk('b.md#L1', 'A budget of a key, and how to raise it.')]],
  ])('%s', (_name, chunks) => {
    expect(first('How do I raise budgets?', ...chunks)).toMatch(/b(udgets)?\.md/)
  })

  test.each(['adr/0026-budgets.md', 'minutes/2025-03-01.md', 'CHANGELOG.md', 'docs/release-notes.md'])(
    'the kind of document: %s comes after a guide with the same words, unless the question asks for reasons',
    (record) => {
      const found = [chunk(`${record}#L1`, 'A budget can be raised.', [], 1 / 60), chunk('z/guide.md#L1', 'A budget can be raised.')]
      expect(first('How do I raise budgets?', ...found)).toBe('z/guide.md#L1')
      expect(first('Why are budgets raised?', ...found)).toBe(`${record}#L1`)
    },
  )

  test.each(['01-start.md', 'changes-of-state.md', '2024-plan/start.md'])('%s is not a record', (path) => {
    const found = [chunk(`${path}#L1`, 'Start here.', [], 1 / 60), chunk('z.md#L1', 'Start here.')]
    expect(first('How do I raise budgets?', ...found)).toBe(`${path}#L1`)
  })

  test('the second passage of a document comes after the first of another', () => {
    const found = rerank([chunk('a.md#L1', 'x'), chunk('a.md#L9', 'x'), chunk('b.md#L1', 'x')], ['y'], undefined)
    expect(found.map(({ urn }) => urn)).toEqual(['a.md#L1', 'b.md#L1', 'a.md#L9'])
  })
})

test('whatever was found, the same passages come back once each, best first', () => {
  const text = fc.oneof(fc.string({ maxLength: 80 }), fc.constantFrom('](', '](../../..)', '[a](b.md', '#'.repeat(50), '](a)'.repeat(500)))
  const chunks = fc.uniqueArray(
    fc.record({
      urn: text,
      text,
      headings: fc.array(text, { maxLength: 3 }),
      score: fc.double({ min: 0, max: 1, noNaN: true }),
      ranks: fc.constant({}),
    }),
    { selector: ({ urn }) => urn, maxLength: 20 },
  )
  fc.assert(
    fc.property(
      chunks,
      fc.array(
        text.map((one) => one.slice(0, 9)),
        { maxLength: 6 },
      ),
      (given, asked) => {
        const found = rerank(given, asked, { chunks: 9, holders: [1, 2] })
        expect(new Set(found.map(({ urn }) => urn))).toEqual(new Set(given.map(({ urn }) => urn)))
        expect(found.every(({ score }, at) => Number.isFinite(score) && score <= (found[at - 1]?.score ?? score))).toBe(true)
      },
    ),
    { numRuns: 200 },
  )
})

test('the first passage of a document counts for its others', () => {
  const lead = chunk('b.md#L1-L4', 'How to limit what a team spends.', ['Budgets'], 1 / 200)
  const others = [chunk('a.md#L20', 'A key, a day, a limit.'), chunk('b.md#L20', 'A key, a day, a limit.')]
  expect(first('limit of a key for each team', ...others, lead)).toBe('b.md#L20')
  expect(first('limit of a key for each team', ...others)).toBe('a.md#L20')
})

test('short words are found as words, and words of y as well', () => {
  const others = chunk('a.md#L9', 'Both reports are supported.')
  expect(first('bot', others, chunk('b.md#L9', 'The bot is here.'))).toBe('b.md#L9')
  expect(first('port', others, chunk('b.md#L9', 'Its ports are open.'))).toBe('b.md#L9')
  expect(first('policies', others, chunk('b.md#L9', 'The policy is here.'))).toBe('b.md#L9')
})
