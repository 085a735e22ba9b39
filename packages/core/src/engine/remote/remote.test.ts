import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { type ContractByName, catalogue, contract } from '../../../../presets/src/testing/contract.ts'
import { Answer } from '../../answer/answer.ts'
import type { RepairClass } from '../../contract/certificate.ts'
import { systemClock } from '../../contract/ports.ts'
import { defineValidator } from '../../contract/validator.ts'
import { scripted } from '../../testing/index.ts'
import { check } from '../check/check.ts'
import { enforce, enforceStream } from '../enforce.ts'
import type { Outcome } from '../outcome.ts'
import { repair } from '../repair/repair.ts'
import { settle, settledData } from '../repair/settle.ts'
import type { TraceEvent } from '../trace.ts'
import { rebuild } from './guard-outside.ts'
import { perform } from './perform.ts'
import { Plans } from './plan.ts'
import { RemoteExecutor, RemoteFailure, type RemoteOptions } from './remote-executor.ts'

/** What a thread does, without one: everything that goes to and fro is copied. */
const send: RemoteOptions['send'] = async (sent, stop) => {
  const job = structuredClone(sent)
  const validators = await rebuild(
    job.checks,
    job.policy.locale,
    ({ name }) => catalogue.validators.find(({ definition }) => definition.name === name)?.definition,
  )
  return structuredClone(await perform(job, validators, { clock: systemClock, ...(stop ? { signal: stop } : {}) }))
}

function remote(options: Partial<RemoteOptions> = {}): RemoteExecutor {
  const plans = new Plans(catalogue.validators)
  return new RemoteExecutor({ plans, threshold: 0, values: true, mostRepairs: 1000, send, pause: () => Promise.resolve(), ...options })
}

/** More while developing. */
const runs = 60

const schema = { type: 'object', properties: { a: { type: 'integer' }, b: { type: 'string' } }, required: ['a'] }
const checks: ContractByName['checks'] = [
  'step_marker',
  { max_words: { limit: 6 } },
  { json: { schema } },
  { citations: {} },
  'adr_structure',
  'file_existence',
  'tool_calls',
  'phantom_tools',
]
const contracts: fc.Arbitrary<ContractByName> = fc.record({
  checks: fc.subarray([...checks], { minLength: 1 }),
  mode: fc.constantFrom('strict' as const, 'lenient' as const, 'shadow' as const),
  repair: fc.constantFrom('first' as const, 'last' as const, 'never' as const),
  allow: fc.constantFrom<RepairClass[]>(['lossless'], ['lossless', 'lossy', 'guess']),
  stream: fc.constantFrom('verified' as const, 'hold' as const, 'pass' as const),
  retries: fc.constantFrom(0, 1),
  locale: fc.constantFrom('en' as const, 'de' as const),
})
const pieces = [
  '{"a": 1}',
  "{'a': '1',}",
  '{"a":',
  '```json\n',
  '```\n',
  '[^1]',
  '[^9] ',
  '<!-- STEP: done -->',
  '\n\n',
  '# ADR 1\n',
  'six words ',
]
const texts = fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 8 }))).map((parts) => parts.join(''))
const calls = fc.array(
  fc.record({
    id: fc.constant('c1'),
    name: fc.constantFrom('ping', 'pong', ''),
    arguments: fc.constantFrom('{"a":1}', '{a:1', '', '[]', '{"__proto__":1}'),
  }),
  { maxLength: 2 },
)
const tools = [{ type: 'function', function: { name: 'ping', parameters: schema } }]
const context = { tools, sources: 2, question: 'Q' }

describe('judged elsewhere, everything is as it is in place', () => {
  test('settled', async () => {
    await fc.assert(
      fc.asyncProperty(
        contracts,
        texts,
        calls,
        fc.constantFrom(undefined, 'stop', 'length'),
        async (input, text, toolCalls, finishReason) => {
          const rules = contract(input)
          const given = new Answer(text, { toolCalls, finishReason })
          const here = await settle(rules, given, { context })
          const there = await settle(rules, given, { context, executor: remote() })
          const data = (settled: typeof here) => ({
            ...settledData(settled, given, toolCalls),
            fixed: settled.fixed,
            decision: settled.decision,
          })
          expect(data(there)).toEqual(data(here))
          expect(there.toolCalls === given.toolCalls).toBe(here.toolCalls === given.toolCalls)
        },
      ),
      { numRuns: runs },
    )
  })

  test('enforced, whole and streamed', async () => {
    await fc.assert(
      fc.asyncProperty(
        contracts,
        fc.array(texts, { minLength: 2, maxLength: 2 }),
        fc.integer({ min: 1, max: 9 }),
        async (input, answers, chunkSize) => {
          const rules = contract(input)
          const told = async (away: boolean) => {
            const events: unknown[] = []
            const onEvent = ({ at: _at, ...event }: TraceEvent): unknown => events.push({ ...event, ...('ms' in event ? { ms: 0 } : {}) })
            const options = () => ({
              contract: rules,
              runner: scripted(answers.map((text) => ({ text, chunkSize }))),
              prompt: 'Q',
              runId: 'r',
              onEvent,
              context,
              ...(away ? { executor: remote() } : {}),
            })
            const whole: Outcome = await enforce(options())
            const stream = enforceStream(options())
            const shown: string[] = []
            for await (const piece of stream) shown.push(piece)
            return { whole, shown, streamed: await stream.outcome, events }
          }
          expect(await told(true)).toEqual(await told(false))
        },
      ),
      { numRuns: runs },
    )
  })
})

/** Notes what is asked of the other place. */
function watched(options: Partial<RemoteOptions> = {}) {
  const asked: unknown[][] = []
  const executor = remote({
    ...options,
    send: (job, stop) => {
      asked.push([job.kind, ...(job.kind === 'check' ? job.run.map((index) => job.checks[index]?.name) : [])])
      return (options.send ?? send)(job, stop)
    },
  })
  return { asked, executor }
}

const described = { summary: 'For tests.', options: z.looseObject({}), codes: {}, instruct: () => '' }
const outside = (name: string, module?: string) =>
  defineValidator({ ...described, name, prepare: () => ({ check: () => [] }), ...(module === undefined ? {} : { module }) })
const never: RemoteOptions['send'] = () => Promise.reject(new RemoteFailure('timeout', 'judging took longer than 5 ms'))

describe('what goes elsewhere', () => {
  const rules = contract({ checks: [{ max_words: { limit: 2 } }, 'step_marker'] })
  const call = { name: 'ping', arguments: 'x'.repeat(96) }

  test.each([
    ['nothing of an answer up to the threshold', new Answer('a'.repeat(100)), []],
    ['one job for all checks of a larger one', new Answer('a'.repeat(101)), [['check', 'max_words', 'step_marker']]],
    ['tool calls count', new Answer('a', { toolCalls: [call] }), [['check', 'max_words', 'step_marker']]],
    ['up to the threshold', new Answer('', { toolCalls: [call] }), []],
  ])('%s', async (_name, answer, expected) => {
    const { asked, executor } = watched({ threshold: 100 })
    await check(rules, answer, { executor })
    expect(asked).toEqual(expected)
  })

  test('not a check of the context alone, whose embedder cannot be sent', async () => {
    const { asked, executor } = watched({ threshold: 100 })
    const grounded = contract({ checks: [{ context_relevance: { strategy: 'embedding' } }, { max_words: { limit: 2 } }] })
    const embedder = { name: 'one', embed: async (texts: readonly string[]) => texts.map(() => Float32Array.from([1])) }
    const context = { question: 'Which gateway?', context: ['That one.'] }
    const { facts } = await check(grounded, 'a'.repeat(101), { executor, context, ports: { embedder } })
    expect(facts.context_relevance).toMatchObject({ strategy: 'embedding', scores: { context_relevance: 1 } })
    expect(asked).toHaveLength(1)
  })

  const tool = (size: number) => [{ name: 'ping', parameters: { required: Array.from({ length: size }, (_, at) => `k${at}`) } }]
  test.each([
    ['a small tool', 40, 1000, []],
    ['a tool as large as half the threshold', 10_000, 1, [['check', 'max_words', 'step_marker']]],
    ['a tool that is large for the answer', 5000, 60_000, [['check', 'max_words', 'step_marker']]],
    ['the same tool with a small answer', 1000, 60, []],
  ])('a small answer goes by the size of the tools: %s', async (_name, size, length, expected) => {
    const { asked, executor } = watched({ threshold: 65_536 })
    await check(rules, new Answer('a'.repeat(length)), { executor, context: { tools: tool(size) } })
    expect(asked).toEqual(expected)
  })

  test('each validator from outside by itself, however small the answer', async () => {
    const mixed = contract({
      checks: [{ max_words: { limit: 2 } }, outside('one', 'file:///one.js')({}), outside('two', 'file:///two.js')({})],
    })
    const { asked, executor } = watched({ threshold: 100, send: never })
    const { unchecked, issues } = await check(mixed, 'one two three', { executor })
    expect(asked).toEqual([
      ['check', 'one'],
      ['check', 'two'],
    ])
    expect(unchecked.map(({ validator, cause }) => [validator, cause])).toEqual([
      ['one', 'timeout'],
      ['two', 'timeout'],
    ])
    expect(issues.map(({ code }) => code)).toEqual(['MAX_WORDS'])
  })

  test.each([
    ['a validator without a module', outside('here')({})],
    ['options with a function', outside('here', 'file:///here.js')({ test: () => true })],
  ])('%s stays, the others go', async (_name, stays) => {
    const { asked, executor } = watched()
    await check(contract({ checks: [stays, 'step_marker'] }), 'a', { executor })
    expect(asked).toEqual([['check', 'step_marker']])
  })

  test('a validator from outside has no incremental form in place', async () => {
    let started = false
    const watching = defineValidator({
      ...described,
      name: 'watching',
      module: 'file:///watching.js',
      prepare: () => ({
        check: () => [],
        incremental: () => {
          started = true
          return { push: () => ({ safe: Number.POSITIVE_INFINITY }) }
        },
      }),
    })
    const { executor } = watched({ send: async () => ({ kind: 'check', collected: [[]] }) })
    const stream = enforceStream({
      contract: contract({ checks: [watching({})] }),
      runner: scripted([{ text: 'abc', chunkSize: 1 }]),
      prompt: 'Q',
      executor,
    })
    const shown: string[] = []
    for await (const piece of stream) shown.push(piece)
    expect([started, shown]).toEqual([false, ['abc']])
  })
})

describe('without a result', () => {
  test.each(['timeout', 'crash', 'unavailable', 'aborted'] as const)('%s: the answer is unchecked, and no verdict', async (cause) => {
    const executor = remote({ send: () => Promise.reject(new RemoteFailure(cause, 'no')) })
    const settled = await settle(contract({ checks: [{ max_words: { limit: 1 } }] }), 'two words', { executor })
    expect([settled.status, settled.issues]).toEqual(['unchecked', []])
    expect(settled.unchecked).toEqual([{ validator: 'max_words', cause, message: 'no' }])
  })

  test('something thrown that is no failure is a crash', async () => {
    const executor = remote({ send: () => Promise.reject(new TypeError('boom')) })
    expect((await check(contract({ checks: ['step_marker'] }), 'a', { executor })).unchecked).toMatchObject([
      { cause: 'crash', message: 'boom' },
    ])
  })

  test('a repair has repaired nothing', async () => {
    const rules = contract({ checks: [{ json: { schema } }], retries: 0 })
    const text = "{'a': 1}"
    expect((await settle(rules, text, { executor: remote() })).status).toBe('repaired')
    const executor = remote({ send: (job, stop) => (job.kind === 'repair' ? never(job, stop) : send(job, stop)) })
    expect(await settle(rules, text, { executor })).toMatchObject({ status: 'unresolved', text, repairs: [] })
  })
})

test('values that nobody wants are not copied, and the outcome still has one', async () => {
  const runner = () => scripted([{ text: '{"a": 1}' }])
  const rules = contract({ checks: [{ json: { schema } }] })
  const outcome = await enforce({ contract: rules, runner: runner(), prompt: 'Q', executor: remote({ values: false }) })
  expect(outcome).toMatchObject({ status: 'valid', text: '{"a": 1}' })
  expect(Object.hasOwn(outcome, 'value')).toBe(true)
  expect(outcome.value).toBeUndefined()
})

test('a large chunk is read in slices, with pauses between them', async () => {
  const text = `${'word '.repeat(20_000)}<!-- STEP: done -->`
  let pauses = 0
  const executor = remote({
    pause: async () => {
      pauses++
    },
  })
  const stream = enforceStream({ contract: contract({ checks: ['step_marker'] }), runner: scripted([{ text }]), prompt: 'Q', executor })
  let shown = ''
  for await (const piece of stream) shown += piece
  expect((await stream.outcome).status).toBe('valid')
  expect(shown).toBe(text)
  expect(pauses).toBeGreaterThan(5)
})

test('an abort between two slices ends the run', async () => {
  const stop = new AbortController()
  const executor = remote({ pause: async () => stop.abort() })
  const runner = scripted([{ text: 'word '.repeat(20_000) }])
  const stream = enforceStream({ contract: contract({ checks: ['step_marker'] }), runner, prompt: 'Q', executor, signal: stop.signal })
  for await (const _piece of stream);
  expect(await stream.outcome).toMatchObject({ status: 'failed', failure: { kind: 'aborted' } })
})

test('checks that cannot be built again are reported', async () => {
  const find = ({ name }: { readonly name: string }) => catalogue.validators.find(({ definition }) => definition.name === name)?.definition
  await expect(rebuild([{ name: 'nothing', module: 'file:///a.js' }], 'en', find)).rejects.toThrow('no validator nothing in file:///a.js')
  await expect(rebuild([{ name: 'max_words', options: { limit: 'x' } }], 'en', find)).rejects.toThrow('limit')
})

test('A07 an end that nobody knows stays unknown in a thread, also behind a repair', async () => {
  const marked = contract({ checks: ['step_marker'], retries: 0 })
  for (const parts of [{ finishReason: 'who_knows' }, { finishMissing: 'unexpected' as const }]) {
    const answer = new Answer('Use spaces.', parts)
    expect(await settle(marked, answer, { executor: remote() })).toMatchObject({ status: 'unchecked' })
    const repaired = await repair(marked, answer, await check(marked, answer), { executor: remote() })
    expect(repaired).toMatchObject({ clean: true, answer: parts })
  }
})

test('A08 a thread that finds an answer too complex says so', async () => {
  const text = `---\nadr_id: 1\nfiles: { modify: [a.ts] }\n${'# padding\n'.repeat(8000)}---\n`
  const report = await check(contract({ checks: ['adr_structure', { json: {} }] }), text, { executor: remote() })
  expect(report).toMatchObject({ unchecked: [], issues: [{ code: 'TOO_COMPLEX', validator: 'adr_structure' }, { validator: 'json' }] })
})

test('everything that is known of an answer goes along', async () => {
  const answer = new Answer('a', { toolCalls: [], finishReason: 'stop', finishMissing: 'usual', unread: 'audio' })
  let sent: object = {}
  const executor = remote({
    send: (job, stop) => {
      sent = job.answer
      return send(job, stop)
    },
  })
  await check(contract({ checks: ['step_marker'] }), answer, { executor })
  expect(sent).toEqual({ ...answer })
  expect(Object.values(sent)).not.toContain(undefined)
})

test('of very many changes only some are listed, and all are made', async () => {
  const rules = contract({ checks: [{ json: { schema: { type: 'array' } } }], allow: ['lossless'], retries: 0 })
  const text = `[${"'a', ".repeat(50)}'a']`
  const here = await settle(rules, text)
  const there = await settle(rules, text, { executor: remote({ mostRepairs: 3 }) })
  expect(here.repairs.length).toBeGreaterThan(3)
  expect(there.repairs).toEqual(here.repairs.slice(0, 3))
  expect([there.status, there.text]).toEqual(['repaired', here.text])
})
