import { RunnerFailure } from '@stickler/core'
import { type ScriptedTurn, scripted } from '@stickler/core/testing'
import { describe, expect, test } from 'vitest'
import type { NodeName, NodeTrace } from '../reply/node-trace.ts'
import type { Retriever } from '../retrieval/retriever.ts'
import { avapParser } from '../testing/avap-parser.ts'
import { downRetriever, fixedRetriever, judge, passages } from '../testing/piped.ts'
import { drivers, pipeline } from '../testing/pipeline-drivers.ts'
import { openPipeline } from './open-pipeline.ts'
import type { PipelineOptions } from './options.ts'
import type { PipelineRequest } from './request.ts'

const good = '```avap\naddParam(password, pw)\nencodeSHA256(pw, hash)\naddResult(hash)\n```'
const bad = 'Here:\n\n```avap\naddParam(password, pw)\ngetSHA256(pw, hash)\naddResult(hash)\n```'
const worse = 'Sorry:\n\n```avap\nfor i in range(10):\nreturnResult(i)\n```'
const cited = 'Loops begin with startLoop [^2].'
const miscited = 'Loops begin with startLoop [^9].'
const down: ScriptedTurn = { failure: { kind: 'connection' } }

const looked: readonly NodeName[] = ['classify', 'reformulate', 'retrieve']
const checked: readonly NodeName[] = [...looked, 'check_context_relevance']
const coded: readonly NodeName[] = [...looked, 'generate_code', 'validate_code']
const recoded: readonly NodeName[] = [...coded, 'generate_code_retry', 'validate_code']

interface Way {
  readonly name: string
  readonly query?: string
  readonly request?: Partial<PipelineRequest>
  readonly turns: readonly (string | ScriptedTurn)[]
  readonly options?: Partial<PipelineOptions>
  /** How often the parser answers. */
  readonly verdicts?: number
  readonly nodes: readonly NodeName[]
  readonly type: string
  readonly answer: string
  readonly status?: string
  readonly relevant?: boolean
  readonly calls?: number
}

const documents = 'How do loops work?'
const code = 'Write a function that hashes a password.'

const ways: readonly Way[] = [
  { name: 'relevant context', turns: [cited], nodes: [...checked, 'generate'], type: 'RETRIEVAL', answer: cited, relevant: true },
  {
    name: 'irrelevant context',
    turns: [cited],
    options: { relevance: judge(false) },
    nodes: [...checked, 'reformulate_with_hint', 'retrieve', 'generate'],
    type: 'RETRIEVAL',
    answer: cited,
    relevant: false,
  },
  {
    name: 'irrelevant context, then wrong citations: no second retry',
    turns: [miscited, cited],
    options: { relevance: judge(false) },
    nodes: [...checked, 'reformulate_with_hint', 'retrieve', 'generate'],
    type: 'RETRIEVAL',
    answer: miscited,
    status: 'INVALID_UNRESOLVED',
    relevant: false,
  },
  {
    name: 'wrong citations, then right ones',
    turns: [miscited, cited],
    nodes: [...checked, 'generate'],
    type: 'RETRIEVAL',
    answer: cited,
    relevant: true,
    calls: 2,
  },
  {
    name: 'wrong citations twice',
    turns: [miscited, `${miscited} Really [^7].`],
    nodes: [...checked, 'generate'],
    type: 'RETRIEVAL',
    answer: `${miscited} Really [^7].`,
    status: 'INVALID_UNRESOLVED',
    relevant: true,
    calls: 2,
  },
  {
    name: 'code in an answer from documents is parsed, and asked for again',
    turns: [`${cited}\n\n${bad}`, `${cited}\n\n${good}`],
    nodes: [...checked, 'generate'],
    type: 'RETRIEVAL',
    answer: `${cited}\n\n${good}`,
    relevant: true,
    calls: 2,
  },
  {
    name: 'code in an answer from documents that stays invalid, without a second retry',
    turns: [`${cited}\n\n${bad}`, `${cited}\n\n${good}`],
    options: { relevance: judge(false) },
    nodes: [...checked, 'reformulate_with_hint', 'retrieve', 'generate'],
    type: 'RETRIEVAL',
    answer: `${cited}\n\n${bad}`,
    status: 'INVALID_UNRESOLVED',
    relevant: false,
  },
  {
    name: 'code in an answer from documents that could not be parsed',
    turns: [`${cited}\n\n${bad}`],
    verdicts: 0,
    nodes: [...checked, 'generate'],
    type: 'RETRIEVAL',
    answer: `${cited}\n\n${bad}`,
    status: 'PARSER_UNAVAILABLE',
    relevant: true,
  },
  {
    name: 'an answer from documents without code in the language needs no parser',
    turns: [`${cited}\n\n\`\`\`python\nprint(\n\`\`\``],
    verdicts: 0,
    nodes: [...checked, 'generate'],
    type: 'RETRIEVAL',
    answer: `${cited}\n\n\`\`\`python\nprint(\n\`\`\``,
    relevant: true,
  },
  {
    name: 'nothing found',
    turns: ['There are no sources.'],
    options: { retriever: fixedRetriever([]) },
    nodes: [...checked, 'reformulate_with_hint', 'retrieve', 'generate'],
    type: 'RETRIEVAL',
    answer: 'There are no sources.',
    relevant: false,
  },
  {
    name: 'the retriever is down',
    turns: ['There are no sources.'],
    options: { retriever: downRetriever() },
    nodes: [...looked, 'generate'],
    type: 'RETRIEVAL',
    answer: 'There are no sources.',
  },
  {
    name: 'sources of the caller',
    turns: ['It is so [^1].'],
    request: { sources: [{ urn: 'a', payload: 'It is so.' }] },
    nodes: ['classify', 'generate'],
    type: 'RETRIEVAL',
    answer: 'It is so [^1].',
  },
  { name: 'valid code', query: code, turns: [good], nodes: coded, type: 'CODE_GENERATION', answer: good },
  { name: 'invalid code, then valid', query: code, turns: [bad, good], nodes: recoded, type: 'CODE_GENERATION', answer: good, calls: 2 },
  {
    name: 'invalid code twice',
    query: code,
    turns: [bad, worse],
    nodes: recoded,
    type: 'CODE_GENERATION',
    answer: worse,
    status: 'INVALID_UNRESOLVED',
    calls: 2,
  },
  {
    name: 'invalid code, then the same',
    query: code,
    turns: [bad, bad],
    nodes: recoded,
    type: 'CODE_GENERATION',
    answer: bad,
    status: 'INVALID_UNRESOLVED',
    calls: 2,
  },
  {
    name: 'invalid code, then the model is gone',
    query: code,
    turns: [bad, down],
    nodes: recoded,
    type: 'CODE_GENERATION',
    answer: bad,
    status: 'INVALID_UNRESOLVED',
    calls: 2,
  },
  {
    name: 'the parser is unavailable',
    query: code,
    turns: [bad],
    verdicts: 0,
    nodes: coded,
    type: 'CODE_GENERATION',
    answer: bad,
    status: 'PARSER_UNAVAILABLE',
  },
  {
    name: 'the parser is unavailable for the second answer',
    query: code,
    turns: [bad, worse],
    verdicts: 1,
    nodes: recoded,
    type: 'CODE_GENERATION',
    answer: worse,
    status: 'PARSER_UNAVAILABLE',
    calls: 2,
  },
  {
    name: 'code over sources of the caller',
    query: code,
    turns: [good],
    request: { sources: [] },
    nodes: ['classify', 'generate_code', 'validate_code'],
    type: 'CODE_GENERATION',
    answer: good,
  },
  {
    name: 'code although the retriever is down',
    query: code,
    turns: [good],
    options: { retriever: downRetriever() },
    nodes: coded,
    type: 'CODE_GENERATION',
    answer: good,
  },
  { name: 'no code in the answer', query: code, turns: ['No.'], nodes: coded, type: 'CODE_GENERATION', answer: 'No.' },
  {
    name: 'talk',
    query: 'Hello!',
    turns: ['Hello.'],
    nodes: ['classify', 'respond_conversational'],
    type: 'CONVERSATIONAL',
    answer: 'Hello.',
  },
  {
    name: 'a question about the platform',
    query: 'How much of my quota have I used?',
    turns: ['Half.'],
    nodes: ['classify', 'respond_platform'],
    type: 'PLATFORM',
    answer: 'Half.',
  },
  {
    name: 'the fast path',
    query: ' \n You are a Direct and concise assistant. Write a function that hashes a password.',
    turns: ['Half.'],
    nodes: ['classify', 'respond_platform'],
    type: 'PLATFORM',
    answer: 'Half.',
  },
  {
    name: 'a type that the request names',
    query: 'Hello!',
    request: { type: 'CODE_GENERATION' },
    turns: [bad, good],
    nodes: recoded,
    type: 'CODE_GENERATION',
    answer: good,
    calls: 2,
  },
]

describe.each(Object.entries(drivers))('%s', (driver, drive) => {
  test.each(ways)('$name', async (way) => {
    const { query = documents, request = {}, turns, options = {}, verdicts = 9, nodes, status = '', relevant, calls = 1 } = way
    const runner = scripted(turns)
    const heard: NodeTrace[] = []
    const all: PipelineOptions = {
      pipeline,
      runner,
      retriever: fixedRetriever(),
      relevance: judge(true),
      parser: avapParser(verdicts),
      ...options,
    }
    const driven = await drive(all, { query, ...request, onNode: (trace) => heard.push(trace) })
    expect(driven.trace.map(({ node }) => node)).toEqual(nodes)
    expect(driven).toMatchObject({ type: way.type, validation_status: status, context_relevant: relevant })
    expect(runner.calls.length).toBe(calls)
    if (driver !== 'prepared, then the engine') expect(heard).toEqual(driven.trace)
    // What was shown before the verdict stays: a stream goes on from there.
    if (driven.streamed === undefined) expect(driven.answer).toBe(way.answer)
    else expect(driven.streamed.join('')).toBe(driven.answer)
  })

  test('has no answer when the model has none', async () => {
    await expect(drive({ pipeline, runner: scripted([down]), retriever: fixedRetriever() }, { query: documents })).rejects.toThrow(
      RunnerFailure,
    )
  })
})

test('eight passages are searched for, and as many once more when none is relevant', async () => {
  const limits: unknown[] = []
  const retriever: Retriever = {
    async retrieve(_query, options) {
      limits.push(options?.limit)
      return { chunks: passages }
    },
  }
  const way = openPipeline({ pipeline, runner: scripted([cited]), retriever, relevance: judge(false) })
  await way.run({ query: documents })
  expect(limits).toEqual([8, 8])
})
