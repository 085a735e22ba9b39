import type { CostLimits } from '@stickler/presets/internal'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AskRequest } from './question/request.ts'
import type { RetrievedChunk } from './retrieval/retriever.ts'
import { service } from './testing/asking.ts'
import { asked, fixedRetriever, piped, question } from './testing/piped.ts'

const chunk = (number: number, text: string): RetrievedChunk => ({
  urn: `docs/${number}.md#L1`,
  text,
  headings: [],
  score: 1 / number,
  ranks: {},
})
/** Every character of markup is sent as several. */
const table = `<table>${'<tr><td a="1">1</td><td>"2"</td></tr>'.repeat(60)}</table>`
const found = (texts: readonly string[]) => piped({ retriever: fixedRetriever(texts.map((text, index) => chunk(index + 1, text))) })

async function ask(texts: readonly string[], limits: Partial<CostLimits> = {}, request: Partial<AskRequest> = {}) {
  const { ask, runner } = service(['a[^1]'], { pipeline: found(texts), limits })
  const { envelope, nodes } = asked(await ask({ question, type: 'RETRIEVAL', ...request }))
  return { urns: envelope.sources_flat.map(({ urn }) => urn), warnings: envelope.validation.warnings, nodes, runner }
}

describe('passages that make a prompt too large', () => {
  test('are left out, the best first to stay, and the answer says so', async () => {
    const { urns, warnings, nodes, runner } = await ask(Array.from({ length: 8 }, () => table))
    expect(urns.length).toBeGreaterThan(2)
    expect(urns).toEqual(urns.map((_, index) => `docs/${index + 1}.md#L1`))
    expect(warnings).toMatchObject([{ kind: 'passages_left_out' }])
    expect(nodes?.find(({ node }) => node === 'retrieve')).toMatchObject({ left_out: 8 - urns.length })
    expect(runner.calls.length).toBe(1)
  })

  test.each<[name: string, limits: Partial<CostLimits>, urns: readonly number[]]>([
    ['one that is too large makes way for the next', { sourceBytes: 500 }, [2, 3]],
    ['all payloads together', { sourcesBytes: 120 }, [2]],
    ['how many', { sources: 1 }, [1]],
    ['nothing fits', { sourceBytes: 1 }, []],
  ])('by each limit: %s', async (_name, limits, numbers) => {
    const { urns, warnings } = await ask([table, 'a'.repeat(100), 'b'.repeat(100)], limits)
    expect(urns).toEqual(numbers.map((number) => `docs/${number}.md#L1`))
    expect(warnings.map(({ kind }) => kind)).toContain('passages_left_out')
  })

  test('leave room for the retry', async () => {
    const long = `${'word '.repeat(600)}[^99]`
    const { ask, runner } = service([long, 'a[^1]'], { pipeline: found(Array.from({ length: 8 }, () => table)) })
    expect(asked(await ask({ question, type: 'RETRIEVAL' })).envelope).toMatchObject({ retry_count: 1, validation: { ok: true } })
    expect(runner.calls.length).toBe(2)
  })

  test('never cause a refusal, whatever they hold', async () => {
    const texts = fc.array(fc.tuple(fc.constantFrom('a', '<', '"', 'ä', '😀', '\n'), fc.nat(3000)), { maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(texts, fc.integer({ min: 400, max: 9000 }), async (parts, promptTokens) => {
        const { urns, warnings } = await ask(
          parts.map(([character, count]) => character.repeat(count)),
          { promptTokens },
        )
        expect(warnings.some(({ kind }) => kind === 'passages_left_out')).toBe(urns.length < Math.min(8, parts.length))
      }),
      { numRuns: 40 },
    )
  })
})

describe('a question that is too large without passages is refused before any model is asked', () => {
  const source = { urn: 'a', payload: '"'.repeat(20_000) }
  test.each<[name: string, request: Partial<AskRequest>]>([
    ['by its history', { history: [{ role: 'user', content: 'word '.repeat(10_000) }] }],
    ['by its sources as they are sent', { type: 'RETRIEVAL', sources: [source] }],
  ])('%s', async (_name, request) => {
    let asked = 0
    const classifier = async () => {
      asked++
      return 'RETRIEVAL'
    }
    const { ask, runner } = service(['a[^1]'], { pipeline: piped({ retriever: fixedRetriever(), classifier }) })
    expect(await ask({ question, ...request })).toMatchObject({ ok: false, status: 413, limit: 'max_prompt_tokens' })
    expect([asked, runner.calls.length]).toEqual([0, 0])
  })
})
