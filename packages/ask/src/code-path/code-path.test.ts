import { Annotation, END, MemorySaver, START, StateGraph } from '@langchain/langgraph'
import { ConfigurationError, contract, enforce, maxWords, RunnerFailure } from '@stickler/core'
import { ParserUnavailable, type SyntaxParser } from '@stickler/core/syntax'
import { type ScriptedTurn, scripted } from '@stickler/core/testing'
import { avapLanguage } from '@stickler/parser'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type CodePath, codePath } from './code-path.ts'
import type { CodePathOptions } from './code-path-options.ts'
import { type CodeState, codeState } from './code-state.ts'
import { runCodePath } from './run-code-path.ts'

const query = 'Hash a password.'
const good = '```avap\naddParam(password, pw)\nencodeSHA256(pw, hash)\naddResult(hash)\n```'
const bad = '```avap\naddParam(password, pw)\ngetSHA256(pw, hash)\naddResult(hash)\n```'
const worse = 'Sorry:\n\n```avap\nfor i in range(10):\nreturnResult(i)\n```'
const down: ScriptedTurn = { failure: { kind: 'connection' } }
const cut: ScriptedTurn = { text: '```avap\naddPar', finishReason: 'length' }

const parseAvap = await avapLanguage().load()

/** The real local parser; it may be gone from a call on. */
function parserOf(goneFrom = Number.POSITIVE_INFINITY): SyntaxParser & { readonly sources: string[] } {
  const sources: string[] = []
  return {
    sources,
    async parse(_language, source) {
      if (sources.push(source) > goneFrom) throw new ParserUnavailable('the circuit is open', 'fault')
      const [first, ...more] = parseAvap(source)
      return first === undefined ? { verdict: 'valid' } : { verdict: 'invalid', trace: [first, ...more] }
    },
  }
}

/** The part of the design's graph that generates code. */
function graphOf({ generate_code, validate_code, generate_code_retry, afterValidation }: CodePath) {
  const state = Annotation.Root({
    query: Annotation<string>,
    type: Annotation<string>,
    answer: Annotation<string>,
    finish_reason: Annotation<string>,
    verdict: Annotation<CodeState['verdict']>,
    parser_trace: Annotation<string>,
    parser_feedback: Annotation<string>,
    validation_status: Annotation<string>,
    retries: Annotation<number>,
  })
  return new StateGraph(state)
    .addNode('generate_code', generate_code)
    .addNode('validate_code', validate_code)
    .addNode('generate_code_retry', generate_code_retry)
    .addEdge(START, 'generate_code')
    .addEdge('generate_code', 'validate_code')
    .addConditionalEdges('validate_code', afterValidation, ['generate_code_retry', END])
    .addEdge('generate_code_retry', 'validate_code')
}

const ways = {
  'as a graph': async (path: CodePath): Promise<CodeState> => graphOf(path).compile().invoke(codeState(query)),
  'as a function': (path: CodePath): Promise<CodeState> => runCodePath(path, codeState(query)),
}

const table: readonly (readonly [
  name: string,
  turns: readonly (string | ScriptedTurn)[],
  verdicts: number,
  status: string,
  answer: string,
  retries: number,
])[] = [
  ['right at once', [good], 9, '', good, 0],
  ['right after the retry', [bad, good], 9, '', good, 1],
  ['wrong twice', [bad, worse], 9, 'INVALID_UNRESOLVED', worse, 1],
  ['wrong in the same way', [bad, bad], 9, 'INVALID_UNRESOLVED', bad, 1],
  ['never parsed', [bad], 0, 'PARSER_UNAVAILABLE', bad, 0],
  ['not parsed the second time', [bad, worse], 1, 'PARSER_UNAVAILABLE', worse, 1],
  ['right, but not parsed the second time', [bad, good], 1, 'PARSER_UNAVAILABLE', good, 1],
  ['wrong in the same way, and not parsed the second time', [bad, bad], 1, 'INVALID_UNRESOLVED', bad, 1],
  ['wrong, and the model is gone', [bad, down], 9, 'INVALID_UNRESOLVED', bad, 1],
  ['wrong, and both are gone', [bad, down], 1, 'INVALID_UNRESOLVED', bad, 1],
  ['wrong, then empty', [bad, ''], 9, 'INVALID_UNRESOLVED', bad, 1],
  ['no code', ['AVAP has loops.'], 9, '', 'AVAP has loops.', 0],
  ['cut off, then right', [cut, good], 9, '', good, 1],
  ['cut off twice', [cut, cut], 9, 'PARSER_UNAVAILABLE', '```avap\naddPar', 1],
]

describe.each(Object.entries(ways))('the code path %s', (_way, run) => {
  test.each(table)('%s', async (_name, turns, verdicts, status, answer, retries) => {
    const runner = scripted(turns)
    const state = await run(codePath({ runner, parser: parserOf(verdicts) }))
    expect(state).toMatchObject({ query, type: 'CODE_GENERATION', answer, validation_status: status, retries })
    expect(runner.calls.length).toBe(retries + 1)
    // The same rules as those of the engine.
    const outcome = await enforce({
      contract: contract({ preset: 'avap' }),
      runner: scripted(turns),
      prompt: query,
      ports: { parser: parserOf(verdicts) },
    })
    expect([outcome.validationStatus, outcome.text, outcome.attempts]).toEqual([status, answer, retries + 1])
  })

  test('asks again with the trace, in the words of the design', async () => {
    const runner = scripted([bad, good])
    const state = await run(codePath({ runner, parser: parserOf() }))
    const trace = "Line 2: unknown command 'getSHA256' — expected known identifier"
    expect(state.parser_trace).toBe(trace)
    expect(runner.calls[1]?.prompt).toBe(
      `<parser_feedback>\nThe previous attempt produced invalid AVAP code. Specific failures:\n\n${trace}\n\nCorrect these errors. Do not repeat the same constructs.\n</parser_feedback>\n\n${query}`,
    )
  })

  test('has no answer when the model has none', async () => {
    await expect(run(codePath({ runner: scripted([down]), parser: parserOf() }))).rejects.toThrow(RunnerFailure)
  })
})

const scripts = fc.array(
  fc.constantFrom<string | ScriptedTurn>(
    good,
    bad,
    worse,
    down,
    cut,
    '',
    'No code.',
    '```avap\naddVar(a, 1)\n```\n\n```avap\naddVar(a)\n```',
    '<think>```avap\nx\n```</think>',
    '```\nend()\n```',
  ),
  {
    minLength: 2,
    maxLength: 2,
  },
)

test('graph, function and engine agree on any script, with any parser', async () => {
  await fc.assert(
    fc.asyncProperty(scripts, fc.nat(3), async (turns, verdicts) => {
      const outcome = await enforce({
        contract: contract({ preset: 'avap' }),
        runner: scripted(turns),
        prompt: query,
        ports: { parser: parserOf(verdicts) },
      })
      for (const run of Object.values(ways)) {
        const runner = scripted(turns)
        const state = await run(codePath({ runner, parser: parserOf(verdicts) })).catch((error: unknown) => error)
        if (outcome.status === 'failed') expect(state).toBeInstanceOf(RunnerFailure)
        else expect(state).toMatchObject({ answer: outcome.text, validation_status: outcome.validationStatus })
        expect(runner.calls.length).toBe(outcome.attempts)
      }
    }),
    { numRuns: 25 },
  )
})

describe('no request is asked again twice', () => {
  test('whatever the order in which a graph calls the nodes', async () => {
    const names = ['generate_code', 'validate_code', 'generate_code_retry'] as const
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...names), { maxLength: 12 }), fc.nat(3), async (order, verdicts) => {
        const runner = scripted(Array.from({ length: 20 }, () => bad))
        const path = codePath({ runner, parser: parserOf(verdicts) })
        let state = codeState(query)
        for (const name of order) state = { ...state, ...(await path[name](state)) }
        const retried = runner.calls.filter(({ prompt }) => String(prompt).includes('<parser_feedback>'))
        expect(retried.length).toBeLessThanOrEqual(1)
        expect(runner.calls.length).toBeLessThanOrEqual(2)
        expect(state.retries).toBeLessThanOrEqual(1)
        expect(['', 'INVALID_UNRESOLVED', 'PARSER_UNAVAILABLE']).toContain(state.validation_status)
      }),
      { numRuns: 100 },
    )
  })

  test('by a graph that goes round for ever', async () => {
    const runner = scripted([bad, worse, bad, worse])
    const { generate_code, validate_code, generate_code_retry } = codePath({ runner, parser: parserOf() })
    const hostile = graphOf({ generate_code, validate_code, generate_code_retry, afterValidation: () => 'generate_code_retry' }).compile()
    await expect(hostile.invoke(codeState(query), { recursionLimit: 20 })).rejects.toThrow(/[Rr]ecursion/)
    expect(runner.calls.length).toBe(2)
  })

  test('by a contract that allows more', async () => {
    const runner = scripted([bad, worse, good])
    const state = await runCodePath(
      codePath({ runner, parser: parserOf(), contract: contract({ preset: 'avap', retries: 5, budget: { attempts: 6 } }) }),
      codeState(query),
    )
    expect(state).toMatchObject({ answer: worse, validation_status: 'INVALID_UNRESOLVED', retries: 1 })
    expect(runner.calls.length).toBe(2)
  })
})

describe('around the nodes', () => {
  test('a stored graph starts anew with each request', async () => {
    const runner = scripted([bad, good, worse, bad])
    const graph = graphOf(codePath({ runner, parser: parserOf() })).compile({ checkpointer: new MemorySaver() })
    const config = { configurable: { thread_id: '1' } }
    expect(await graph.invoke(codeState(query), config)).toMatchObject({ answer: good, validation_status: '', retries: 1 })
    expect(await graph.invoke(codeState('Again.'), config)).toMatchObject({
      answer: bad,
      validation_status: 'INVALID_UNRESOLVED',
      retries: 1,
    })
  })

  test('an aborted graph calls nobody any more', async () => {
    const runner = scripted([{ text: bad, hang: true }])
    const controller = new AbortController()
    const run = graphOf(codePath({ runner, parser: parserOf() }))
      .compile()
      .invoke(codeState(query), { signal: controller.signal })
    setTimeout(() => controller.abort(), 20)
    await expect(run).rejects.toThrow()
    await expect.poll(() => runner.calls[0]?.aborted).toBe(true)
  })

  test('answers without a verdict are told of, others are not', async () => {
    const tell = async (turns: readonly string[], verdicts: number): Promise<number> => {
      let told = 0
      const path = codePath({ runner: scripted(turns), parser: parserOf(verdicts), onUnvalidated: () => told++ })
      await runCodePath(path, codeState(query))
      return told
    }
    expect([await tell([bad], 0), await tell([bad, good], 1), await tell([bad, good], 9), await tell(['Hi'], 0)]).toEqual([1, 1, 0, 0])
  })

  test('without a parser nothing is validated', async () => {
    const state = await runCodePath(codePath({ runner: scripted([bad]) }), codeState(query))
    expect(state).toMatchObject({ validation_status: 'PARSER_UNAVAILABLE', retries: 0, parser_trace: '' })
  })

  test('the prompt is the caller’s, with the rules where the contract says so', async () => {
    const runner = scripted([bad, good])
    const rules = contract({ preset: 'avap', instruct: true })
    const promptOf = (state: CodeState) => [
      { role: 'system', content: 'Context.' },
      { role: 'user', content: state.query },
    ]
    await runCodePath(codePath({ runner, parser: parserOf(), contract: rules, promptOf }), codeState(query))
    const [first, second] = runner.calls.map(({ prompt }) => prompt as { role: string; content: string }[])
    expect(first?.map(({ role }) => role)).toEqual(['system', 'system', 'user'])
    expect(first?.[1]?.content).toContain('avap')
    expect(second?.at(-1)?.content).toMatch(/^<parser_feedback>\n(?:.*\n)+<\/parser_feedback>\n\nHash a password\.$/)
  })

  test('a contract without a validation status is refused', () => {
    expect(() => codePath({ runner: scripted([]), contract: contract({ checks: [maxWords({ limit: 3 })] }) })).toThrow(
      'contract: declares no validation status',
    )
  })
  test.each<[what: string, options: object, message: string]>([
    ['no runner', { parser: parserOf() }, 'runner: is missing, or is no runner: it has no function `run`'],
    ['no parser', { runner: scripted([]), parser: {} }, 'parser: is no parser: it has no function `parse`'],
    [
      'a parser that was not awaited',
      { runner: scripted([]), parser: Promise.resolve(parserOf()) },
      'parser: is a promise; await it, as in `await openParser(…)`',
    ],
    ['another name', { runner: scripted([]), parsr: parserOf() }, 'unknown option "parsr"; did you mean "parser"?'],
  ])('options that are wrong are refused at once: %s', (_, options, message) => {
    expect(() => codePath(options as CodePathOptions)).toThrow(new ConfigurationError([{ path: [], message }]).message)
  })
})
