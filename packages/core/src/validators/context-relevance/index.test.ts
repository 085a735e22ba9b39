import { describe, expect, test } from 'vitest'
import { contract } from '../../catalogue.ts'
import type { Ports } from '../../contract/ports.ts'
import { check } from '../../engine/check/check.ts'
import { enforceStream } from '../../engine/enforce.ts'
import { scripted } from '../../testing/index.ts'
import { localeFaults } from '../../testing/locale-faults.ts'
import { contextRelevance } from './index.ts'

type Options = Parameters<typeof contextRelevance>[0]

const question = 'How often does the gateway retry?'
const about = ['The gateway retries at most twice.']
const other = ['Boil the pasta in salted water.']

const run = (options: Options, context: Record<string, unknown>, ports: Ports = {}) =>
  check(contract({ checks: [contextRelevance(options)] }), 'Twice.', { context, ports })

describe('context_relevance', () => {
  test.each<[string, Record<string, unknown>]>([
    ['texts', { question, context: about }],
    ['objects', { question, context: [{ text: about[0] }] }],
    ['sources', { question, sources: [{ urn: 'a', payload: about[0] }] }],
  ])('passes %s that are about the question, and tells the score', async (_name, context) => {
    const { issues, unchecked, facts } = await run({}, context)
    expect({ issues, unchecked }).toEqual({ issues: [], unchecked: [] })
    const { scores, ...told } = facts.context_relevance ?? {}
    expect(told).toEqual({ relevance: 'relevant', strategy: 'lexical' })
    expect((scores as { context_relevance: number }).context_relevance).toBeGreaterThan(0.5)
  })

  test('warns of texts that are not', async () => {
    const { issues, facts } = await run({}, { question, context: other })
    expect(issues).toMatchObject([{ code: 'CONTEXT_IRRELEVANT', severity: 'warning' }])
    expect(facts.context_relevance).toMatchObject({ relevance: 'irrelevant' })
  })

  test.each<[Record<string, unknown>, string]>([
    [{}, 'the question is unknown'],
    [{ question: ' ', context: about }, 'the question is unknown'],
    [{ question: 7, context: about }, 'the question is unknown'],
    [{ question }, 'the context for the question is unknown'],
    [{ question, sources: 3 }, 'the context for the question is unknown'],
    [{ question, context: 'text' }, 'not a list'],
    [{ question, context: [about[0], 7] }, '`context[1]`'],
    [{ question, context: [{ urn: 'a' }] }, '`context[0]`'],
  ])('has no verdict on %j', async (context, message) => {
    const { issues, unchecked } = await run({}, context)
    expect(issues).toEqual([])
    expect(unchecked).toMatchObject([{ validator: 'context_relevance', cause: 'unavailable', message: expect.stringContaining(message) }])
  })

  test('marks a verdict that the embedder did not give', async () => {
    const down = { name: 'down', embed: () => Promise.reject(new Error('connection refused')) }
    const { issues, facts } = await run({ strategy: 'embedding', threshold: 0.01 }, { question, context: other }, { embedder: down })
    expect(facts.context_relevance).toMatchObject({ strategy: 'lexical', fallback: 'connection refused' })
    expect(issues[0]?.message).toContain('below 0.5')
  })

  test('a model says NO', async () => {
    const { issues, facts } = await run({ strategy: 'llm' }, { question, context: about }, { model: async () => 'no' })
    expect(issues[0]?.message).toContain('none of it was judged relevant')
    expect(facts.context_relevance).toEqual({ relevance: 'irrelevant', strategy: 'llm' })
  })

  test('has no verdict by a model that is not there', async () => {
    const { issues, unchecked } = await run({ strategy: 'llm' }, { question, context: other })
    expect(issues).toEqual([])
    expect(unchecked).toMatchObject([{ cause: 'unavailable', message: expect.stringContaining('provide `ports.model`') }])
  })

  test('neither asks the model again nor holds a stream back', async () => {
    const model = scripted([{ text: 'Twice, as far as I know.', chunkSize: 5 }, 'Never.'])
    const rules = contract({ checks: [contextRelevance({})], retries: 2 })
    const answer = enforceStream({ contract: rules, runner: model, prompt: question, context: { question, context: other } })
    const shown: string[] = []
    for await (const text of answer) shown.push(text)
    const { status, issues } = await answer.outcome
    expect({ status, codes: issues.map(({ code }) => code), calls: model.calls.length }).toEqual({
      status: 'valid',
      codes: ['CONTEXT_IRRELEVANT'],
      calls: 1,
    })
    expect(shown.length).toBeGreaterThan(1)
  })

  test('rejects a threshold that nothing is compared with', () => {
    expect(() => contract({ checks: [contextRelevance({ strategy: 'llm', threshold: 0.5 })] })).toThrow(/llm has no score/)
  })
})

test('says everything in both languages', async () => {
  expect(
    await localeFaults('context_relevance', [
      { context: { question: 'Welche Nachricht kommt aus Lissabon?', context: ['Nudeln'] } },
      { options: { strategy: 'llm' }, context: { question: 'Welche Nachricht kommt aus Lissabon?', context: [] } },
    ]),
  ).toEqual([])
})
