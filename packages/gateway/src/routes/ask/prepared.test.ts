import type { AskAnswered, AskReply } from '@stickler/ask'
import type { ScriptedTurn } from '@stickler/core/testing'
import { envelopeBytes } from '@stickler/presets/internal'
import { describe, expect, test } from 'vitest'
import {
  asked,
  bad,
  downRetriever,
  firstTwo,
  fixedRetriever,
  framesOf,
  good,
  judge,
  nodesOf,
  parser,
  piped,
  question,
} from '../../../../ask/src/testing/piped.ts'
import type { ReadRequest } from './read-request.ts'
import type { TestQuestions } from './testing/questions.ts'
import { request as plain, questions } from './testing/questions.ts'

interface Row {
  readonly name: string
  readonly turns: readonly (string | ScriptedTurn)[]
  readonly pipeline?: NonNullable<TestQuestions['pipeline']>
  readonly request?: Partial<ReadRequest>
  readonly nodes: string
  readonly envelope: Partial<AskAnswered['envelope']>
  readonly status: string
  readonly kinds?: readonly string[]
}

const rows: readonly Row[] = [
  {
    name: 'RETRIEVAL with relevant context',
    turns: ['With encodeSHA256[^1].'],
    nodes: `${firstTwo} check_context_relevance generate`,
    envelope: { type: 'RETRIEVAL', context_relevant: true, reformulations: 0, retry_count: 0, validation_status: '', mode: 'strict' },
    status: 'valid',
  },
  {
    name: 'RETRIEVAL with wrong citations, then right ones',
    turns: ['With x[^9].', 'With x[^2].'],
    nodes: `${firstTwo} check_context_relevance generate`,
    envelope: { retry_count: 1, validation_status: '' },
    status: 'valid',
  },
  {
    name: 'RETRIEVAL with citations that stay wrong',
    turns: ['With x[^9].', 'With x[^8].'],
    nodes: `${firstTwo} check_context_relevance generate`,
    envelope: { retry_count: 1, validation_status: 'INVALID_UNRESOLVED' },
    status: 'unresolved',
    kinds: ['out_of_range'],
  },
  {
    name: 'RETRIEVAL with irrelevant context has spent its retry',
    turns: ['With x[^9].'],
    pipeline: piped({ relevance: judge(false) }),
    nodes: `${firstTwo} check_context_relevance reformulate_with_hint retrieve generate`,
    envelope: { context_relevant: false, reformulations: 1, retry_count: 0, validation_status: 'INVALID_UNRESOLVED' },
    status: 'unresolved',
    kinds: ['out_of_range'],
  },
  {
    name: 'RETRIEVAL while the retriever is down',
    turns: ['I have no sources.'],
    pipeline: piped({ retriever: downRetriever() }),
    nodes: `${firstTwo} generate`,
    envelope: { context_relevant: null, sources_flat: [], validation_status: '' },
    status: 'valid',
    kinds: ['retrieval_unavailable'],
  },
  {
    name: 'RETRIEVAL from an empty index',
    turns: ['I have no sources.'],
    pipeline: piped({ retriever: fixedRetriever([]), relevance: judge(false) }),
    nodes: `${firstTwo} check_context_relevance reformulate_with_hint retrieve generate`,
    envelope: { context_relevant: false, sources_flat: [] },
    status: 'valid',
    kinds: ['retrieval_empty'],
  },
  {
    name: 'RETRIEVAL from given sources',
    turns: ['Because[^1].'],
    request: { type: 'RETRIEVAL', sources: plain.sources },
    nodes: 'classify generate',
    envelope: { type: 'RETRIEVAL', context_relevant: null, sources_flat: plain.sources.map(({ urn, payload }) => ({ payload, urn })) },
    status: 'valid',
  },
  {
    name: 'CODE_GENERATION',
    turns: [good],
    request: { type: 'CODE_GENERATION' },
    nodes: `${firstTwo} generate_code validate_code`,
    envelope: { type: 'CODE_GENERATION', context_relevant: null, validation_status: '', citations: [] },
    status: 'valid',
  },
  {
    name: 'CODE_GENERATION that is right after the retry',
    turns: [bad, good],
    request: { type: 'CODE_GENERATION' },
    nodes: `${firstTwo} generate_code validate_code generate_code_retry validate_code`,
    envelope: { validation_status: '', retry_count: 1 },
    status: 'valid',
  },
  {
    name: 'CODE_GENERATION that stays wrong',
    turns: [bad, `${bad}\n\nAgain.`],
    request: { type: 'CODE_GENERATION' },
    nodes: `${firstTwo} generate_code validate_code generate_code_retry validate_code`,
    envelope: { validation_status: 'INVALID_UNRESOLVED', retry_count: 1 },
    status: 'unresolved',
    kinds: ['syntax_error'],
  },
  {
    name: 'CODE_GENERATION that is asked for leniently',
    turns: [bad, good],
    request: { type: 'CODE_GENERATION', strict: false },
    nodes: `${firstTwo} generate_code validate_code generate_code_retry validate_code`,
    envelope: { validation_status: '', retry_count: 1, mode: 'strict' },
    status: 'valid',
  },
  {
    name: 'CODE_GENERATION whose retry fails',
    turns: [bad, { failure: { kind: 'connection' } }],
    request: { type: 'CODE_GENERATION' },
    nodes: `${firstTwo} generate_code validate_code generate_code_retry validate_code`,
    envelope: { validation_status: 'INVALID_UNRESOLVED', retry_count: 1, answer: bad },
    status: 'unresolved',
    kinds: ['syntax_error'],
  },
  {
    name: 'CODE_GENERATION without a parser',
    turns: [bad],
    pipeline: piped({}, { ports: { parser: parser(true) } }),
    request: { type: 'CODE_GENERATION' },
    nodes: `${firstTwo} generate_code validate_code`,
    envelope: { validation_status: 'PARSER_UNAVAILABLE', retry_count: 0 },
    status: 'unchecked',
    kinds: ['unchecked'],
  },
  {
    name: 'CONVERSATIONAL',
    turns: ['You are welcome[^7].'],
    request: { type: 'CONVERSATIONAL' },
    nodes: 'classify respond_conversational',
    envelope: { type: 'CONVERSATIONAL', context_relevant: null, citations: [], sources_flat: [], validation_status: '' },
    status: 'valid',
  },
  {
    name: 'PLATFORM by its prefix',
    turns: ['12 %.'],
    request: { question: 'You are a direct and concise assistant. How much of my quota is used?' },
    nodes: 'classify respond_platform',
    envelope: { type: 'PLATFORM', validation_status: '' },
    status: 'valid',
  },
]

describe.each(['whole', 'streamed'] as const)('a question through the pipeline, %s', (way) => {
  test.each(rows)('$name', async ({ turns, pipeline = piped(), request = {}, nodes, envelope, status, kinds = [] }) => {
    const { ask, frames, audit, runner } = questions(turns, { pipeline })
    const wish = { question, ...request }
    let reply: AskReply
    if (way === 'whole') reply = await ask(wish)
    else {
      const steps = frames(wish)
      const events: string[] = []
      for (;;) {
        const step = await steps.next()
        if (step.done) {
          reply = step.value
          break
        }
        events.push(/^event: (\w+)/.exec(step.value)?.[1] ?? '')
      }
      expect(events.join(' ')).toMatch(/^sources( answer_token)+ validation$/)
    }
    const { envelope: given, verdict } = asked(reply)
    expect(given).toMatchObject(envelope)
    expect(Object.keys(given)).toEqual([...Object.keys(given)].sort())
    expect(nodesOf(reply)).toBe(nodes)
    expect(runner.calls.length).toBe(turns.length)
    expect(given.validation.warnings.map(({ kind }) => kind)).toEqual(kinds)
    expect(given.validation.ok).toBe(verdict !== 'unresolved')
    expect(given.validation.errors.length > 0).toBe(verdict === 'unresolved')
    expect(audit.rows).toMatchObject([
      {
        status,
        retry_count: given.retry_count,
        sources_urns: given.sources_flat.map(({ urn }) => urn),
        pipeline: {
          type: given.type,
          nodes: nodes.split(' '),
          context_relevant: given.context_relevant,
          reformulations: given.reformulations,
          validation_status: given.validation_status,
        },
      },
    ])
    // Texts are kept only when that is wanted.
    expect(JSON.stringify(audit.rows)).not.toContain('encodeSHA256')
  })
})

test('the envelope has the keys of a question over sources and four more', async () => {
  const without = Object.keys(asked(await questions(['a[^1]']).ask(plain)).envelope)
  const reply = asked(await questions(['a[^1]'], { pipeline: piped() }).ask({ question }))
  expect(Object.keys(reply.envelope)).toEqual([...without, 'context_relevant', 'reformulations', 'type', 'validation_status'].sort())
  expect(envelopeBytes(reply.envelope)).toBe(
    envelopeBytes(asked(await questions(['a[^1]'], { pipeline: piped() }).ask({ question })).envelope),
  )
})

describe('a question over sources and without a type is the same with a pipeline', () => {
  const scripts: readonly (readonly (string | ScriptedTurn)[])[] = [
    ['a[^1]'],
    ['a[^9]', 'b[^2]'],
    ['a[^9]', 'b[^8]'],
    ['a[^01]', ''],
    [{ failure: { kind: 'connection' } }],
    [{ failure: { kind: 'http', status: 429 } }],
  ]
  test.each(scripts.map((turns) => [turns]))('%j', async (turns) => {
    for (const more of [{}, { strict: false }, { sources: [] }]) {
      const all = [{}, { pipeline: piped() }].map(async (settings) => {
        const one = questions(turns, settings)
        const two = questions(turns, settings)
        return [
          await one.ask({ ...plain, ...more }),
          one.audit.rows,
          one.runner.calls.map(({ prompt, feedback }) => [prompt, feedback]),
          await framesOf(two.frames({ ...plain, ...more })),
        ]
      })
      const [without, configured] = await Promise.all(all)
      expect(configured).toEqual(without)
    }
  })
})

describe('is refused', () => {
  const table: readonly (readonly [name: string, request: unknown, hasPipeline: boolean, error: RegExp])[] = [
    ['a type without a pipeline', { question, sources: [], type: 'RETRIEVAL' }, false, /^type: needs a pipeline, and none is configured$/],
    ['no sources without a pipeline', { question }, false, /^sources: must be a list/],
    ['an unknown type', { question, type: 'RETREIVAL' }, true, /^type: unknown type "RETREIVAL"; did you mean "RETRIEVAL"\?/],
    ['a type that is no text', { question, type: 1 }, true, /^type: must be one of RETRIEVAL/],
    [
      'sources for a type without',
      { question, type: 'PLATFORM', sources: plain.sources },
      true,
      /^sources: cannot be given with the type PLATFORM/,
    ],
    ['an empty question', { question: ' ' }, true, /^question: must be a non-empty string/],
  ]
  test.each(table)('%s', async (_name, request, hasPipeline, error) => {
    const { ask, audit, runner } = questions(['a'], hasPipeline ? { pipeline: piped() } : {})
    const reply = await ask(request as ReadRequest)
    expect(reply).toMatchObject({ ok: false, status: 400, error: expect.stringMatching(error) as unknown })
    expect(runner.calls).toEqual([])
    expect(audit.rows).toMatchObject([{ status: 'refused', failure: { kind: 'request' } }])
  })
})

test('a provider that does not cite reliably makes RETRIEVAL lenient, and only that', async () => {
  const { ask } = questions(['a[^9]', bad, good], { pipeline: piped(), name: 'ollama' })
  expect(asked(await ask({ question })).envelope).toMatchObject({
    mode: 'lenient',
    validation: { ok: true, warnings: [{ kind: 'out_of_range' }, { kind: 'mode_fallback' }] },
    validation_status: 'INVALID_UNRESOLVED',
  })
  expect(asked(await ask({ question, type: 'CODE_GENERATION' })).envelope).toMatchObject({
    mode: 'strict',
    retry_count: 1,
    validation_status: '',
  })
})

test('a stream shows prose after code as it comes, and code only with its verdict', async () => {
  const text = `${good}

Here is the other code that you asked for:

${bad}`
  const { frames } = questions([{ text, chunkSize: 4 }, good], { pipeline: piped() })
  const events = await framesOf(frames({ question, type: 'CODE_GENERATION' }))
  const tokens = events.flatMap(({ event, data }) => (event === 'answer_token' ? [String(data.text)] : []))
  expect(tokens.length).toBeGreaterThan(3)
  expect(tokens.join('')).not.toContain('getSHA256')
  expect(tokens.join('')).toContain('addVar(a, 1)')
})
