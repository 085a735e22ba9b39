import { degradedNodes } from '@stickler/ask/internal'
import { type PrepareOptions, relevanceJudge } from '@stickler/ask/pipeline'
import { manualClock, type ScriptedTurn, scripted } from '@stickler/core/testing'
import { describe, expect, test } from 'vitest'
import {
  asked,
  firstTwo,
  fixedRetriever,
  framesOf,
  good,
  hanging,
  nodesOf,
  parser,
  passages,
  piped,
  question,
} from '../../../../ask/src/testing/piped.ts'
import type { ReadRequest } from './read-request.ts'
import type { Knobs, TestProvider, TestQuestions } from './testing/questions.ts'
import { memoryLedger, request as plain, questions, targetOf, usage } from './testing/questions.ts'

/** A model for preparation with its price. */
const helper = (turns: readonly (string | ScriptedTurn)[], more: Partial<TestProvider> = {}) => {
  const runner = scripted(turns)
  return {
    runner,
    provider: { name: 'groq', model: 'small', runner, price: { promptPerMillion: 1000, completionPerMillion: 1000 }, ...more },
  }
}

const withClassifier = (provider: TestProvider, options: Partial<PrepareOptions> = {}): NonNullable<TestQuestions['pipeline']> => ({
  prepare: (request, calls) => {
    const { upstream, model, price } = targetOf(provider)
    const classifier = calls.of({ upstream, model, price })
    return piped(options).prepare({ ...request, ...(classifier && { classifier }) })
  },
})

describe('models that prepare', () => {
  test('are paid for by the question, once', async () => {
    const { runner, provider } = helper([{ text: 'CONVERSATIONAL', usage: { promptTokens: 100, completionTokens: 10, cost: 0.5 } }])
    const down = scripted([{ failure: { kind: 'connection' } }])
    const answering = scripted([{ text: 'Hello.', usage }])
    const { ask, audit } = questions([], {
      providers: [
        { name: 'first', model: 'm', runner: down },
        { name: 'second', model: 'm', runner: answering },
      ],
      pipeline: withClassifier(provider),
    })
    const { envelope } = asked(await ask({ question: 'Tell me more about all of this.', tenant: 't' }))
    expect(runner.calls.length).toBe(1)
    expect(envelope).toMatchObject({
      type: 'CONVERSATIONAL',
      provider: 'second',
      prompt_tokens: 110,
      completion_tokens: 15,
      cost_usd: 0.75,
    })
    expect(audit.rows.map(({ status, cost_usd }) => [status, cost_usd])).toEqual([
      ['failed', 0],
      ['valid', 0.75],
    ])
  })

  test('that fail are done without', async () => {
    const { provider } = helper([{ failure: { kind: 'connection' } }])
    const { envelope } = asked(await questions(['a[^1]'], { pipeline: withClassifier(provider) }).ask({ question }))
    expect(envelope).toMatchObject({ type: 'RETRIEVAL', validation: { ok: true, warnings: [{ kind: 'pipeline_degraded' }] } })
  })

  test('for relevance that fail are done without, and said so', async () => {
    const relevance = relevanceJudge({ strategy: 'llm', model: () => Promise.reject(new Error('down')) })
    const { envelope, nodes } = asked(await questions(['a[^1]'], { pipeline: piped({ relevance }) }).ask({ question }))
    expect(envelope).toMatchObject({ context_relevant: true, validation: { ok: true, warnings: [{ kind: 'relevance_fallback' }] } })
    expect(degradedNodes(nodes ?? [])).toEqual([{ node: 'check_context_relevance', how: 'fallback', reason: 'down' }])
  })

  test.each(['lexical', 'embedding', 'llm'] as const)(
    'with nothing found, the trace names the strategy that is configured: %s',
    async (strategy) => {
      const model = () => Promise.reject(new Error('asked for nothing'))
      const pipeline = piped({ relevance: relevanceJudge({ strategy, model }), retriever: fixedRetriever([]) })
      const { nodes, envelope } = asked(await questions(['Nothing.'], { pipeline }).ask({ question }))
      expect(nodes?.find(({ relevance }) => relevance !== undefined)?.relevance).toEqual({ relevant: false, strategy })
      expect(envelope.validation.warnings.map(({ kind }) => kind)).toEqual(['retrieval_empty'])
    },
  )

  test.each([
    [0, { ok: true }, 1, 1],
    [2, { ok: false, status: 413, limit: 'daily_cost_cap_usd' }, 0, 0],
  ])('count for the daily cost, and are not asked beyond it: %d dollars', async (spentUsd, reply, calls, charged) => {
    const ledger = memoryLedger()
    const most = { tokens: 0, nanoUsd: spentUsd * 1e9 }
    await ledger.hold({ id: 'before', key: 'ask:', day: 0, most, atRisk: most, madeAt: 0, expiresAt: 1 }, {})
    await ledger.settle('before', most)
    const { runner, provider } = helper([{ text: 'RETRIEVAL', usage: { promptTokens: 1, completionTokens: 1, cost: 1 } }])
    const priced = { name: 'openai', model: 'm', runner: scripted(['a[^1]']), price: { promptPerMillion: 1, completionPerMillion: 1 } }
    const { ask, audit } = questions([], { pipeline: withClassifier(provider), ledger, limits: { dailyCostUsd: 2 }, providers: [priced] })
    expect(await ask({ question })).toMatchObject(reply)
    expect(runner.calls.length).toBe(calls)
    expect(ledger.spent()).toBeCloseTo(spentUsd + charged, 3)
    expect(audit.rows).toHaveLength(1)
  })

  test('whose spending cannot be kept leave no answer', async () => {
    const { provider } = helper([{ text: 'RETRIEVAL', usage }])
    const ledger = { ...memoryLedger(), settle: () => Promise.reject(new Error('disk')) }
    const { ask, audit, runner } = questions(['a[^1]'], { pipeline: withClassifier(provider), ledger, limits: { dailyCostUsd: 9 } })
    expect(await ask({ question })).toMatchObject({ ok: false, status: 503, error: 'the spending could not be read or saved' })
    expect(runner.calls).toEqual([])
    expect(audit.rows).toMatchObject([{ status: 'failed', failure: { kind: 'unavailable' }, cost_usd: 0.25, provider: null }])
  })
})

describe('a question that ends while it is prepared', () => {
  test('by its time limit, though the retriever listens to nobody', async () => {
    const clock = manualClock()
    let tell = (): void => {}
    const called = new Promise<void>((resolve) => {
      tell = resolve
    })
    const retriever = { retrieve: hanging(() => tell()) }
    const { ask, audit, runner } = questions(['a'], { pipeline: piped({ retriever, clock, timeoutMs: 60_000 }), clock })
    const reply = ask({ question })
    await called
    await clock.advance(30_001)
    expect(await reply).toMatchObject({ ok: false, status: 504, limit: 'timeout_ms' })
    expect(runner.calls).toEqual([])
    expect(audit.rows).toMatchObject([
      {
        status: 'refused',
        limit: 'timeout_ms',
        pipeline: { type: 'RETRIEVAL', nodes: ['classify', 'reformulate'], validation_status: '' },
      },
    ])
  })

  test('a retriever that hangs is done without when there is time left', async () => {
    const clock = manualClock()
    let tell = (): void => {}
    const called = new Promise<void>((resolve) => {
      tell = resolve
    })
    const { ask } = questions(['a'], { pipeline: piped({ retriever: { retrieve: hanging(() => tell()) }, clock, timeoutMs: 1000 }), clock })
    const reply = ask({ question })
    await called
    await clock.advance(1001)
    expect(asked(await reply).envelope.validation.warnings).toMatchObject([{ kind: 'retrieval_unavailable' }])
  })

  const phases: readonly (readonly [
    name: string,
    pipeline: (leave: () => void) => NonNullable<TestQuestions['pipeline']>,
    nodes: string,
  ])[] = [
    ['at once', leftAtOnce, ''],
    ['in retrieval', (leave) => piped({ retriever: { retrieve: hanging(leave) } }), 'classify reformulate'],
    ['in relevance', (leave) => piped({ relevance: hanging(leave) }), firstTwo],
    ['in a model', (leave) => withClassifier({ name: 'x', model: 'm', runner: leaving(leave) }), ''],
  ]
  test.each(phases)('because the client leaves %s', async (_name, pipeline, nodes) => {
    for (const way of ['ask', 'frames'] as const) {
      const controller = new AbortController()
      const { ask, frames, audit, runner } = questions(['a'], { pipeline: pipeline(() => controller.abort()) })
      const wish = { question, signal: controller.signal }
      if (way === 'ask') expect(await ask(wish)).toMatchObject({ ok: false, status: 499 })
      else expect(await framesOf(frames(wish))).toMatchObject([{ event: 'error', data: { code: 499 } }])
      expect(runner.calls).toEqual([])
      expect(audit.rows).toMatchObject([{ status: 'failed', failure: { kind: 'aborted' } }])
      expect(audit.rows[0]?.pipeline?.nodes.join(' ')).toBe(nodes)
    }
  })

  test('because the stream is left after its sources', async () => {
    for (const settings of [{ pipeline: piped() }, {}]) {
      const { frames, audit, runner } = questions(['a'], settings)
      for await (const frame of frames(settings.pipeline ? { question } : plain)) {
        expect(frame).toMatch(/^event: sources/)
        break
      }
      expect(runner.calls).toEqual([])
      expect(audit.rows).toMatchObject([
        {
          status: 'failed',
          failure: { kind: 'aborted' },
          sources_urns: settings.pipeline ? passages.map(({ urn }) => urn) : ['urn:a', 'urn:b'],
        },
      ])
    }
  })
})

function leftAtOnce(leave: () => void): NonNullable<TestQuestions['pipeline']> {
  leave()
  return piped()
}

/** A runner whose client leaves, and that then never ends. */
function leaving(leave: () => void): TestProvider['runner'] {
  const run = async function* () {
    leave()
    await new Promise(() => {})
    yield { type: 'text' as const, text: '' }
  }
  return { run, continue: run }
}

describe('the cache', () => {
  const caching = { enabled: true, defaultTtlSeconds: 60 }
  test('gives a kept answer again, checked and audited, without a model', async () => {
    let isGone = false
    const pipeline = piped({}, { ports: { parser: { parse: (language, source) => parser(isGone).parse(language, source) } } })
    const { ask, audit, runner } = questions([good, good, good, 'a[^1]'], { pipeline, caching })
    const wish = { question, type: 'CODE_GENERATION' } as const
    expect(asked(await ask(wish)).envelope.cache_hit).toBe(false)
    const again = await ask(wish)
    expect(asked(again).envelope).toMatchObject({
      cache_hit: true,
      answer: good,
      type: 'CODE_GENERATION',
      validation_status: '',
      cost_usd: 0,
    })
    expect(nodesOf(again)).toBe(firstTwo)
    expect(runner.calls.length).toBe(1)
    expect(audit.rows.map(({ status }) => status)).toEqual(['valid', 'cached'])
    // What cannot be checked again is not given again.
    isGone = true
    expect(asked(await ask(wish)).envelope).toMatchObject({ cache_hit: false, validation_status: 'PARSER_UNAVAILABLE' })
    expect(runner.calls.length).toBe(2)
  })

  test('keeps types, chunks and their order apart, and nothing that is not valid', async () => {
    const turns = Array.from({ length: 9 }, (_, index) => `answer ${index}[^1]`)
    let found = passages
    const retriever = { retrieve: async () => ({ chunks: found }) }
    const { ask, runner } = questions(turns, { pipeline: piped({ retriever }), caching })
    const answers: string[] = []
    const put = async (request: Partial<ReadRequest>): Promise<void> =>
      void answers.push(asked(await ask({ question, ...request })).envelope.answer)
    await put({})
    await put({ type: 'RETRIEVAL' })
    expect(answers[1]).toBe(answers[0])
    await put({ type: 'CONVERSATIONAL' })
    found = [...passages].reverse()
    await put({})
    found = passages.map((chunk) => ({ ...chunk, text: `${chunk.text} More.` }))
    await put({})
    found = passages.slice(1)
    await put({})
    expect(new Set(answers).size).toBe(5)
    expect(runner.calls.length).toBe(5)
    const wrong = questions(['x[^9]', 'x[^8]', 'y[^9]', 'y[^8]'], { pipeline: piped(), caching })
    for (const answer of ['x', 'y']) expect(asked(await wrong.ask({ question })).envelope.answer).toContain(answer)
  })
})

describe('limits', () => {
  test.each([
    ['max_prompt_tokens', { promptTokens: 100 }, { question: 'a'.repeat(9000) }, 413],
    ['max_prompt_tokens', { promptTokens: 30 }, {}, 413],
    ['max_sources_bytes', { sourcesBytes: 10 }, { type: 'RETRIEVAL', sources: plain.sources }, 413],
    ['max_completion_tokens', { completionTokens: 1 }, {}, 413],
  ] as const)('%s %j %#', async (limit, limits, request, status) => {
    const { ask, audit } = questions([{ text: 'word '.repeat(90), usage }], {
      pipeline: piped({ clock: manualClock() }),
      limits,
      clock: manualClock(),
    })
    const reply = ask({ question, ...request })
    expect(await reply).toMatchObject({ ok: false, status, limit })
    expect(audit.rows).toMatchObject([{ status: 'refused', limit }])
  })

  test('the seed is that of the sources that are used', async () => {
    const seeds: Knobs['seed'][] = []
    const noted = (seed: Knobs['seed']) => {
      seeds.push(seed)
      return scripted(['a'])
    }
    const answering = (found: typeof passages) =>
      questions([], {
        pipeline: piped({ retriever: fixedRetriever(found) }),
        providers: [{ name: 'openai', model: 'm', runner: ({ seed }) => noted(seed) }],
      })
    await answering(passages).ask({ question })
    await answering([...passages].reverse()).ask({ question })
    await answering(passages.slice(1)).ask({ question })
    expect(seeds[0]).toBe(seeds[1])
    expect(seeds[2]).not.toBe(seeds[0])
  })
})
