import { terms } from '@stickler/core/relevance'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { askedTerms, asksForReasons, familiarity } from './asked-terms.ts'
import { memoryEngine } from './engines/memory-engine.ts'
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

describe('words of a question belong to an index', () => {
  const texts = [
    ...['Die Kündigungsfrist beträgt drei Monate.', 'Der Resturlaub verfällt im März.', 'Belege für Reisekosten sind einzureichen.'],
    ...[
      'Las vacaciones se piden con dos semanas de antelación.',
      'El contrato termina con tres meses de preaviso.',
      'Los gastos de viaje se reembolsan.',
    ],
  ]
  test.each([
    ['Wie lange ist die Kündigungsfrist?', 'Wie koche ich Spaghetti mit Tomaten?'],
    ['Wann verfällt der Resturlaub?', 'Wer gewann die Weltmeisterschaft?'],
    ['¿Cuándo termina el contrato?', '¿Quién escribió la novela Don Quijote?'],
    ['¿Cómo pido vacaciones?', '¿Cómo se cocina una paella valenciana?'],
  ])('%s, not %s', async (own, foreign) => {
    const engine = memoryEngine()
    await engine.replace([
      { path: 'a', fingerprint: '', chunks: texts.map((text, at) => ({ urn: `a#L${at}`, text, headings: [], terms: terms(text) })) },
    ])
    const of = async (question: string): Promise<number | undefined> => {
      const asked = askedTerms(question)
      const counts = await engine.countTerms?.(asked)
      return counts && familiarity(asked, counts)
    }
    expect(await of(own)).toBeGreaterThan(0.25)
    expect(await of(foreign)).toBeLessThan(0.25)
  })

  test('an identifier counts as one word, and a name that a large index lacks outweighs its usual words', () => {
    const whole = familiarity(['sort', 'javascript'], { chunks: 1000, holders: [4, 20] })
    expect(familiarity(askedTerms('sort JavaScript'), { chunks: 1000, holders: [4, 900, 900, 20] })).toBe(whole)
    expect(familiarity(askedTerms('configure nginx'), { chunks: 1000, holders: [140, 0] })).toBeLessThan(0.1)
    expect(familiarity(askedTerms('configure nginx'), { chunks: 1, holders: [1, 0] })).toBeGreaterThan(0.25)
  })

  test('nothing is known of an empty index, or of a question without words', () => {
    expect(familiarity(['a'], { chunks: 0, holders: [0] })).toBeUndefined()
    expect(familiarity([], { chunks: 5, holders: [] })).toBeUndefined()
  })
})
