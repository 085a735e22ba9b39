import { MemorySaver } from '@langchain/langgraph'
import { ConfigurationError, RunnerFailure } from '@stickler/core'
import { type ScriptedTurn, scripted } from '@stickler/core/testing'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nodeNames } from '../../reply/node-trace.ts'
import type { QueryType } from '../../reply/query-type.ts'
import { avapParser } from '../../testing/avap-parser.ts'
import { fixedRetriever, judge } from '../../testing/piped.ts'
import { drivers, pipeline } from '../../testing/pipeline-drivers.ts'
import { graphOf } from '../../testing/pipeline-graph.ts'
import { openPipeline } from '../open-pipeline.ts'
import type { PipelineOptions } from '../options.ts'
import { pipelineNodes } from '../pipeline-nodes.ts'
import { preparePipeline } from '../prepare.ts'
import { pipelineState } from '../request.ts'
import type { PipelineState } from '../state.ts'

const query = 'Hash a password.'
const type = 'CODE_GENERATION'
const good = '```avap\naddParam(password, pw)\nencodeSHA256(pw, hash)\naddResult(hash)\n```'
const bad = '```avap\naddParam(password, pw)\ngetSHA256(pw, hash)\naddResult(hash)\n```'
const worse = 'Sorry:\n\n```avap\nfor i in range(10):\nreturnResult(i)\n```'
const down: ScriptedTurn = { failure: { kind: 'connection' } }
const cut: ScriptedTurn = { text: '```avap\naddPar', finishReason: 'length' }

const optionsOf = (turns: readonly (string | ScriptedTurn)[], more: Partial<PipelineOptions> = {}) => {
  const runner = scripted(turns)
  return { pipeline, runner, parser: avapParser(), retriever: fixedRetriever(), ...more, calls: () => runner.calls }
}
const nodesOf = ({ calls: _, ...options }: ReturnType<typeof optionsOf>) => pipelineNodes(options)

const scripts = fc.array(
  fc.constantFrom<string | ScriptedTurn>(
    ...[good, bad, worse, '', 'No code.', 'So [^1].', 'So [^9].', '<think>```avap\nx\n```</think>', '```\nend()\n```'],
    ...[down, cut],
    '```avap\naddVar(a, 1)\n```\n\n```avap\naddVar(a)\n```',
  ),
  { minLength: 3, maxLength: 3 },
)
const types = fc.constantFrom('RETRIEVAL', 'CODE_GENERATION', 'CONVERSATIONAL', 'PLATFORM', undefined)

describe('no request is retried twice', () => {
  test('by any script, type, verdict and context; all ways of running agree', async () => {
    const property = fc.asyncProperty(
      scripts,
      types,
      fc.nat(3),
      fc.boolean(),
      fc.boolean(),
      async (turns, named, verdicts, isRelevant, isFound) => {
        const seen: unknown[][] = []
        for (const drive of Object.values(drivers)) {
          const runner = scripted(turns)
          const retriever = fixedRetriever(isFound ? undefined : [])
          const hints: string[] = []
          const options: PipelineOptions = {
            pipeline,
            runner,
            retriever,
            relevance: judge(isRelevant),
            parser: avapParser(verdicts),
            reformulation: async (prompt) => {
              hints.push(prompt)
              return 'another wording'
            },
          }
          const request = { query: 'What is a hash?', ...(named === undefined ? {} : { type: named }) }
          const driven = await drive(options, request).catch((error: unknown) => error as Error)
          const hinted = hints.filter((prompt) => prompt.startsWith('[CONTEXT_INSUFFICIENT]')).length
          expect(hinted + Math.max(0, runner.calls.length - 1)).toBeLessThanOrEqual(1)
          expect(retriever.queries.length).toBeLessThanOrEqual(1 + hinted)
          expect(hints.length).toBeLessThanOrEqual(2)
          if (driven instanceof Error) seen.push([driven.constructor.name])
          else seen.push([driven.type, driven.answer, driven.validation_status, driven.trace.map(({ node }) => node)])
        }
        const [itself, streamed, ...others] = seen
        for (const other of others) expect(other).toEqual(itself)
        // A retry on a stream goes on from what was shown, so it may have another answer.
        if (streamed?.[1] === itself?.[1]) expect(streamed).toEqual(itself)
      },
    )
    await fc.assert(property, { numRuns: 12 })
  })

  test('whatever the order in which a graph calls the nodes', async () => {
    const orders = fc.array(fc.constantFrom(...nodeNames), { maxLength: 16 })
    const property = fc.asyncProperty(orders, types, fc.nat(3), fc.boolean(), async (order, named, verdicts, isRelevant) => {
      const options = optionsOf(
        Array.from({ length: 20 }, () => bad),
        { parser: avapParser(verdicts), relevance: judge(isRelevant) },
      )
      const retriever = fixedRetriever()
      const nodes = nodesOf({ ...options, retriever })
      let state: PipelineState = pipelineState(query, named === undefined ? {} : { type: named })
      for (const name of order) {
        // A checkpoint is written and read between any two nodes.
        state = JSON.parse(JSON.stringify({ ...state, ...(await nodes[name](state)) }))
      }
      const retried = options.calls().filter(({ prompt }) => JSON.stringify(prompt).includes('<parser_feedback>'))
      const hinted = state.trace.filter(({ node }) => node === 'reformulate_with_hint')
      expect(retried.length + hinted.length).toBeLessThanOrEqual(1)
      expect(retriever.queries.length).toBeLessThanOrEqual(2)
      // Each node that answers does so once, and one of them is retried.
      expect(options.calls().length).toBeLessThanOrEqual(5)
      expect(['', 'INVALID_UNRESOLVED', 'PARSER_UNAVAILABLE']).toContain(state.validation_status)
    })
    await fc.assert(property, { numRuns: 40 })
  })

  test.each([
    ['code', type, 'afterValidation', 'generate_code_retry', [bad, worse, bad, worse], 2],
    ['documents', 'RETRIEVAL', 'afterRetrieve', 'reformulate_with_hint', ['So.', 'So.'], 0],
  ] as const)('by a graph that goes round for ever: %s', async (_, named, edge, target, turns, calls) => {
    const options = optionsOf(turns, { relevance: judge(false) })
    const retriever = fixedRetriever()
    const nodes = { ...nodesOf({ ...options, retriever }), [edge]: () => target }
    const graph = graphOf(nodes).compile()
    await expect(graph.invoke(pipelineState(query, { type: named }), { recursionLimit: 30 })).rejects.toThrow(/[Rr]ecursion/)
    expect(options.calls().length).toBe(calls)
    expect(retriever.queries.length).toBeLessThanOrEqual(2)
  })
})

describe('in a graph', () => {
  test('the state is plain data that a checkpoint can hold: a graph goes on where it was stopped', async () => {
    const options = optionsOf([bad, good])
    const checkpointer = new MemorySaver()
    const config = { configurable: { thread_id: '1' } }
    const first = graphOf(nodesOf(options)).compile({ checkpointer, interruptBefore: ['generate_code_retry'] })
    const stopped = await first.invoke(pipelineState(query, { type }), config)
    expect(stopped).toMatchObject({ answer: bad, verdict: 'INVALID', retry: 'unspent' })
    expect(JSON.parse(JSON.stringify(stopped))).toEqual(stopped)
    const second = graphOf(nodesOf(options)).compile({ checkpointer })
    expect(await second.invoke(null, config)).toMatchObject({ answer: good, validation_status: '', retry: 'spent' })
  })

  test('a stored graph starts anew with each request', async () => {
    const options = optionsOf([bad, good, worse, bad])
    const graph = graphOf(nodesOf(options)).compile({ checkpointer: new MemorySaver() })
    const config = { configurable: { thread_id: '1' } }
    expect(await graph.invoke(pipelineState(query, { type }), config)).toMatchObject({
      answer: good,
      validation_status: '',
      retry: 'spent',
    })
    expect(await graph.invoke(pipelineState('Again.', { type }), config)).toMatchObject({
      answer: bad,
      validation_status: 'INVALID_UNRESOLVED',
      retry: 'spent',
    })
  })

  test('an aborted graph calls nobody any more', async () => {
    const options = optionsOf([{ text: bad, hang: true }])
    const controller = new AbortController()
    const run = graphOf(nodesOf(options)).compile().invoke(pipelineState(query, { type }), { signal: controller.signal })
    await expect.poll(() => options.calls().length).toBe(1)
    controller.abort()
    await expect(run).rejects.toThrow()
    await expect.poll(() => options.calls()[0]?.aborted).toBe(true)
  })

  test('a restored state whose retry is spent, or unknown, is not retried', async () => {
    const options = optionsOf([good])
    const nodes = nodesOf(options)
    const feedback = { ...pipelineState(query, { type }), answer: bad, verdict: 'INVALID', parser_feedback: 'again' } as const
    for (const retry of ['spent', 'SPENT', '', undefined, 0]) {
      const state = { ...feedback, retry } as unknown as PipelineState
      expect(await nodes.generate_code_retry(state)).toEqual({})
      expect(await nodes.reformulate_with_hint(state)).toEqual({})
    }
    expect(options.calls().length).toBe(0)
  })
})

describe('code', () => {
  test('is asked for again with the trace, in the words of the design', async () => {
    const { calls, ...options } = optionsOf([bad, good])
    await openPipeline(options).run({ query, type })
    const trace = "Line 2: unknown command 'getSHA256' — expected known identifier"
    const asked = calls()[1]?.prompt as readonly { content: string }[]
    expect(asked.at(-1)?.content).toMatch(
      `<parser_feedback>\nThe previous attempt produced invalid AVAP code. Specific failures:\n\n${trace}\n\nCorrect these errors. Do not repeat the same constructs.\n</parser_feedback>\n\nSources:\n<source id="1"`,
    )
    const graph = await graphOf(nodesOf(optionsOf([bad, good])))
      .compile()
      .invoke(pipelineState(query, { type }))
    expect(graph.parser_trace).toBe(trace)
  })

  test('without a verdict is reported, other code is not', async () => {
    const report = async (turns: readonly string[], verdicts: number, wanted: QueryType = type): Promise<readonly number[]> => {
      const counts: number[] = []
      for (const drive of [drivers['by itself'], drivers['as a LangGraph graph']]) {
        let count = 0
        await drive(
          { pipeline, runner: scripted(turns), parser: avapParser(verdicts), onUnvalidated: () => count++ },
          { query, type: wanted },
        )
        counts.push(count)
      }
      return counts
    }
    const reports = [report([bad], 0), report([bad, good], 1), report([bad], 0, 'RETRIEVAL'), report([bad, good], 9), report(['Hi'], 0)]
    expect(await Promise.all(reports)).toEqual([
      [1, 1],
      [1, 1],
      [1, 1],
      [0, 0],
      [0, 0],
    ])
  })

  test('never leaves a stream before its verdict; prose before the first block may be code, and waits too', async () => {
    const shown: string[] = []
    let shownBefore = ''
    const parser = avapParser()
    const watched = {
      parse: (...call: Parameters<typeof parser.parse>) => {
        shownBefore = shown.join('')
        return parser.parse(...call)
      },
    }
    const runner = scripted([{ text: `Prose first.\n\n${good}\n`, chunkSize: 3 }])
    const stream = openPipeline({ pipeline, runner, parser: watched }).stream({ query, type })
    for await (const text of stream) shown.push(text)
    expect(shownBefore).not.toContain('encodeSHA256')
    expect((await stream.result).answer).toContain('encodeSHA256')
  })
})

test.each<[what: string, options: object, message: string]>([
  ['no runner', { pipeline, parser: avapParser() }, 'runner: is missing, or is not a runner: it has no function `run`'],
  ['no pipeline', { runner: scripted([]) }, 'pipeline: is missing; use an entry of `pipelines`'],
  ['no parser', { pipeline, runner: scripted([]), parser: {} }, 'parser: is not a parser: it has no function `parse`'],
  ['no retriever', { pipeline, runner: scripted([]), retriever: {} }, 'retriever: is not a retriever: it has no function `retrieve`'],
  ['no chunks', { pipeline, runner: scripted([]), chunks: 0 }, 'chunks: must be a whole number from 1'],
  ['no function', { pipeline, runner: scripted([]), classifier: 'gpt' }, 'classifier: is not a function'],
  [
    'a parser that was not awaited',
    { pipeline, runner: scripted([]), parser: Promise.resolve(avapParser()) },
    'parser: is a promise; await it, as in `await openParser(…)`',
  ],
  ['another name', { pipeline, runner: scripted([]), parsr: avapParser() }, 'unknown option "parsr"; did you mean "parser"?'],
])('options that are wrong are rejected at once: %s', (_, options, message) => {
  const error = new ConfigurationError([{ path: [], message }]).message
  expect(() => openPipeline(options as PipelineOptions)).toThrow(error)
  expect(() => pipelineNodes(options as PipelineOptions)).toThrow(error)
})

test('a preset without a validation status is rejected', () => {
  expect(() => preparePipeline({ pipeline: { ...pipeline, codePreset: 'helix' } })).toThrow('codePreset: declares no validation status')
})

test.each<[string, Partial<PipelineOptions>, string[], string[]]>([
  ['by rules: what the question found itself stays beside it', {}, ['three', 'both'], ['one', 'three', 'both', 'two']],
  ['by rules, that finds nothing: nothing is left', {}, [], []],
  ['by a model: it takes its place', { reformulation: async () => 'other words' }, ['three', 'both'], ['three', 'both']],
])('a search in other words, %s', async (_case, more, second, expected) => {
  const chunk = (urn: string) => ({ urn, text: `About ${urn}.`, headings: [], score: 1, ranks: {} })
  const found = [['one', 'both', 'two'], second].map((urns) => urns.map(chunk))
  const retriever = { retrieve: async () => ({ chunks: found.shift() ?? [] }) }
  const relevance = async () => ({ relevant: false, strategy: 'lexical' }) as const
  const { sources } = await preparePipeline({ pipeline, retriever, relevance, ...more })({ query: 'What is it?', type: 'RETRIEVAL' })
  expect(sources.map(({ urn }) => urn)).toEqual(expected)
})

test('a model without an answer is a failure of the runner', async () => {
  const stream = openPipeline({ pipeline, runner: scripted([down]) }).stream({ query })
  await expect(async () => {
    for await (const _ of stream);
  }).rejects.toThrow(RunnerFailure)
  await expect(stream.result).rejects.toThrow(RunnerFailure)
})
