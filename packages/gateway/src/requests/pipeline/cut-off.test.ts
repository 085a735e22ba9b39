import { join } from 'node:path'
import { contract, enforce, RunnerFailure } from '@stickler/core'
import type { Api, ClientRequest } from '@stickler/core/internal/apis'
import type { UpstreamCall } from '@stickler/core/internal/relay'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Exchange } from '../../front/exchange.ts'
import { fillIndex } from '../../routes/ask/testing/ask-index.ts'
import type { Behaviour } from '../../testing/programmable-upstream.ts'
import { answering } from '../../testing/programmable-upstream-answers.ts'
import { silence } from '../../testing/programmable-upstream-faults.ts'
import { startTestGateway, type TestGateway } from '../../testing/test-gateway.ts'
import { ask, errorOf, send, textOf, ways } from '../../testing/wire.ts'
import type { ClientContext } from '../client-context.ts'
import { ModelRequest } from '../model-request.ts'
import type { RouteDependencies, RouteSettings } from '../request-ports.ts'
import type { Target } from '../target.ts'
import type { PipelineRun } from './pipeline-run.ts'

const broken = 'Like this:\n\n```avap\ngetSHA256(a)\n```'

/** Helpers answer, except the one that the question names; the model itself always answers with broken code. */
const hangingWhereTold: Behaviour = (exchange) => {
  const { json, body } = exchange.request
  const model = String(json?.model)
  if (body.includes(`hang-${model}`)) return silence(exchange)
  const wanted = body.includes('hang-judge') ? 'RETRIEVAL' : 'CODE_GENERATION'
  const texts: Readonly<Record<string, string>> = { class: wanted, words: body.includes('hang-judge') ? 'encodeSHA256 hang-judge' : 'hash' }
  return answering(texts[model] ?? broken)(exchange)
}

const rest = `
upstreams: [{ name: up, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0 }]
retrieval:
  classifier: { upstream: up, model: class }
  reformulation: { upstream: up, model: words }
  relevance: { strategy: llm, upstream: up, model: judge }
routes: [{ model: docs, upstream: up, pipeline: avap, exemptTasks: [title_generation] }]
`
const question = (helper: string): string => `How is a hash made with encodeSHA256? hang-${helper}`

/** Where it hangs, the type that is known by then, and the nodes that ran. */
const places = [
  ['class', undefined, []],
  ['words', 'CODE_GENERATION', ['classify']],
  ['judge', 'RETRIEVAL', ['classify', 'reformulate', 'retrieve']],
] as const

interface Run {
  readonly requestId: string
  readonly id: string
  readonly contract: string
  readonly status: string
  readonly httpStatus: number
  readonly attempts: readonly unknown[]
  readonly failure?: { readonly kind: string }
  readonly pipeline?: readonly { readonly node: string }[]
}

async function runOf(gateway: TestGateway, isIt: (run: Run) => boolean): Promise<Run> {
  const found = async (): Promise<string | undefined> => {
    const { items } = (await (await gateway.get('/api/v1/runs?limit=50')).json()) as { items: Run[] }
    return items.find(isIt)?.id
  }
  await expect.poll(found, { timeout: 10_000 }).toBeDefined()
  return (await (await gateway.get(`/api/v1/runs/${await found()}`)).json()) as Run
}

const modelsAsked = ({ upstream }: TestGateway): string[] => upstream.requests.map(({ json }) => String(json?.model))

/** One is patient with clients that wait for a stream, one gives signs of life at once, one has time, one has little. */
let quiet: TestGateway
let lively: TestGateway
let patient: TestGateway
let brief: TestGateway
beforeAll(async () => {
  const started = async (server: string): Promise<TestGateway> => {
    const gateway = await startTestGateway({ yaml: `server: { port: 0, ${server} }\n${rest}`, behaviour: hangingWhereTold })
    await fillIndex(join(gateway.folder, 'index.db'))
    return gateway
  }
  quiet = await started('deadline: 3')
  lively = await started('deadline: 3, heartbeat: 0.05')
  patient = await started('deadline: 60')
  brief = await started('deadline: 5')
})
afterAll(() => Promise.all([quiet, lively, patient, brief].map((one) => one?.close())))

describe('a preparation that is cut off', () => {
  const cases = ways.flatMap(([api, how]) =>
    places.map(([helper, type, nodes]) => ({ api, stream: how === 'streamed', helper, type, nodes })),
  )

  test('by the deadline: no model is asked, on any API, whole and streamed, whoever hangs', async () => {
    // The index is open by then, which takes time of its own.
    for (const gateway of [quiet, lively]) await ask(gateway, 'chat', { model: 'docs', prompt: 'How is a hash made with encodeSHA256?' })
    const callsOf = (gateway: TestGateway) => modelsAsked(gateway).filter((name) => name === 'docs').length
    const before = [quiet, lively].map(callsOf)
    // A judge that hangs ends before the deadline, see below.
    const others = cases.filter(({ helper }) => helper !== 'judge')
    const all = [quiet, lively].flatMap((gateway) => others.map((one) => ({ gateway, ...one })))
    await Promise.all(
      all.map(async ({ gateway, api, stream, helper, type }) => {
        const reply = await ask(gateway, api, { model: 'docs', stream, prompt: question(helper) })
        const isOpen = stream && gateway === lively
        expect([api, stream, helper, reply.status, errorOf(reply) !== undefined]).toEqual([api, stream, helper, isOpen ? 200 : 504, true])
        expect(reply.body).not.toContain('getSHA256')
        if (!isOpen) {
          expect(['status', 'attempts'].map((name) => reply.headers.get(`x-stickler-${name}`))).toEqual(['failed', '0'])
        }
        const run = await runOf(gateway, ({ requestId }) => requestId === reply.headers.get('x-request-id'))
        expect(run).toMatchObject({ status: 'failed', failure: { kind: 'deadline' }, attempts: [], httpStatus: reply.status })
        // How far it comes within a deadline depends on the machine; what is exact is tested below.
        const ran = run.pipeline?.map(({ node }) => node) ?? []
        expect(['classify', 'reformulate', 'retrieve', 'check_context_relevance'].slice(0, ran.length)).toEqual(ran)
        if (type === undefined || ran.length === 0) return
        expect(run.contract).toBe(`avap.${type}`)
        if (!isOpen) expect(reply.headers.get('x-stickler-query-type')).toBe(type)
      }),
    )
    expect([quiet, lively].map(callsOf)).toEqual(before)
  }, 30_000)

  test('by a client that leaves: no model is asked, and the nodes that ran are kept', async () => {
    const all = cases.map((one, index) => ({ ...one, id: `left-${index}`, controller: new AbortController() }))
    const pending = all.map(({ api, stream, helper, id, controller: { signal } }) =>
      send(patient, api, { model: 'docs', stream, prompt: question(helper), headers: { 'x-request-id': id }, signal }).catch(() => 'left'),
    )
    const hanging = () => patient.upstream.requests.filter(({ body, json }) => body.includes(`hang-${json?.model}`)).length
    await expect.poll(hanging, { timeout: 10_000 }).toBe(all.length)
    for (const { controller } of all) controller.abort()
    expect(new Set(await Promise.all(pending))).toEqual(new Set(['left']))
    for (const { id, nodes } of all) {
      const run = await runOf(patient, ({ requestId }) => requestId === id)
      expect(run).toMatchObject({ status: 'failed', failure: { kind: 'aborted' }, attempts: [], httpStatus: 499 })
      expect(run.pipeline?.map(({ node }) => node)).toEqual(nodes)
    }
    expect(modelsAsked(patient)).not.toContain('docs')
  }, 30_000)

  test('a judge that hangs leaves time for the answer, which is held to the contract of its type and marked', async () => {
    // The index is open by then, which takes time of its own.
    await ask(brief, 'chat', { model: 'docs', prompt: 'How is a hash made with encodeSHA256?' })
    const reply = await ask(brief, 'chat', { model: 'docs', prompt: question('judge') })
    expect(reply.status).toBe(200)
    expect(['contract', 'degraded'].map((name) => reply.headers.get(`x-stickler-${name}`))).toEqual([
      'avap.RETRIEVAL',
      'check_context_relevance',
    ])
  }, 30_000)

  test('a task that is exempt is passed on without a preparation', async () => {
    const task = { model: 'docs', prompt: question('class'), headers: { 'x-stickler-task': 'title_generation' } }
    const reply = await ask(quiet, 'chat', task)
    expect([reply.status, textOf('chat', reply)]).toEqual([200, broken])
    expect(reply.headers.get('x-stickler-status')).toBe('unenforced')
  })
})

describe('the model of a route with a pipeline', () => {
  const calls: string[] = []
  const call = (): UpstreamCall => {
    calls.push('asked')
    throw new Error('not reached')
  }
  const passing = contract({ checks: [], mode: 'shadow', stream: 'pass', retries: 0 })
  type Prepared = Partial<PipelineRun> | undefined
  const request = (prepared: Prepared, pipeline: object | undefined): ModelRequest => {
    const target = { contract: passing, contractName: 'avap', upstream: { name: 'up', call }, ports: {}, pipeline } as unknown as Target
    const exchange = { requestId: 'r', caller: '', headers: {}, signal: new AbortController().signal } as unknown as Exchange
    const sent = { chat: { model: 'docs', messages: [{ role: 'user' as const, content: 'Why?' }] }, stream: false, body: {} }
    const client = { context: {} } as ClientContext
    const settings = { keepText: false } as RouteSettings
    const made = new ModelRequest(exchange, { name: 'chat' } as Api, sent as unknown as ClientRequest, client, target, settings, {
      today: () => 0,
    } as RouteDependencies)
    if (prepared !== undefined)
      made.prepare({ messages: sent.chat.messages, context: {}, target, attempts: [], ...prepared } as PipelineRun)
    return made
  }

  test.each<[string, Prepared, string]>([
    ['nothing was prepared', undefined, 'crash'],
    ['the preparation has no type', {}, 'crash'],
    ['the preparation was ended', { ended: new RunnerFailure('deadline', 'late') }, 'deadline'],
  ])('is never asked when %s, even if the engine were run', async (_case, prepared, kind) => {
    const [choice] = request(prepared, {}).open()
    if (choice === undefined) throw new Error('no choice')
    const outcome = await enforce(choice.options)
    expect([outcome.status, outcome.delivered, outcome.failure?.kind, calls]).toEqual(['failed', false, kind, []])
  })

  test('is asked for a request that was prepared, and where there is no pipeline', async () => {
    for (const one of [request({ type: 'PLATFORM' }, {}), request(undefined, undefined)]) {
      const [choice] = one.open()
      if (choice !== undefined) await enforce(choice.options)
    }
    expect(calls).toEqual(['asked', 'asked'])
  })
})
