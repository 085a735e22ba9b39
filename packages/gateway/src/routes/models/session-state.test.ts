import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { contract, defineValidator, fact, issue } from '@stickler/core'
import { systemClock } from '@stickler/core/internal'
import { helix } from '@stickler/presets/helix'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { SessionStates } from '../../requests/session-states.ts'
import { answering } from '../../testing/programmable-upstream-answers.ts'
import { sampleRun } from '../../testing/store-fixtures.ts'
import { startTestGateway, type TestGateway } from '../../testing/test-gateway.ts'

interface Seen {
  readonly session?: string
  readonly step?: string
  readonly steps?: readonly { readonly step: string; readonly at: number }[]
}

let seen: Seen[] = []

/** Fails when a session goes back from its last step. */
const forward = defineValidator({
  name: 'forward',
  summary: 'A session that is done stays done.',
  options: z.strictObject({}),
  codes: { STEPS_BACK: { severity: 'error', when: 'A session that was done goes on.', fix: 'Begin a new one.' } },
  instruct: () => '',
  prepare: () => ({
    *check({ text }, { context }) {
      const state = context.session_state as Seen | undefined
      seen.push(state ?? {})
      if (state?.step === 'done' && !text.includes('done')) yield issue('STEPS_BACK', 'Begin a new session.')
    },
  }),
})

/** A step of its own, under a name of its own. */
const phase = defineValidator({
  name: 'phase',
  summary: 'Tells the phase of a talk.',
  options: z.strictObject({}),
  codes: {},
  facts: { phase: { use: 'step', last: ['closed'] }, mood: { use: 'kept' } },
  instruct: () => '',
  prepare: () => ({
    *check({ text }) {
      yield fact('phase', /STEP: (\w+)/.exec(text)?.[1])
      yield fact('mood', 'good')
      yield fact('secret', 'not kept')
    },
  }),
})

const yaml = `
upstreams:
  - { name: up, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0 }
contracts:
  chat: { checks: [] }
  free: { checks: [] }
  talk: { checks: [] }
routes:
  - { model: chat, upstream: up, contract: chat }
  - { model: free, upstream: up, contract: free }
  - { model: talk, upstream: up, contract: talk }
server: { port: 0 }
`
let folder: string
let gateway: TestGateway

async function start(env: Readonly<Record<string, string>> = {}) {
  const started = await startTestGateway({ yaml, folder, env })
  const contracts = new Map([
    ['chat', contract({ preset: helix, checks: ['step_marker', forward({})], retries: 0 })],
    ['talk', contract({ checks: [phase({}), forward({})], retries: 0 })],
    ['free', contract({ checks: [forward({})], retries: 0 })],
  ])
  await started.reload({ ...started.config, contracts })
  return started
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stickler-state-'))
  gateway = await start({ STICKLER_KEYS: 'a:key-of-client-a-0001,b:key-of-client-b-0001' })
})
afterAll(async () => {
  await gateway.close()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(() => {
  seen = []
})

async function say(step: string, { session = 's', key = 'key-of-client-a-0001', path = '/v1/chat/completions', model = 'chat' } = {}) {
  gateway.upstream.enqueue(answering(`Gut. <!-- STEP: ${step} -->`))
  const said = [{ role: 'user', content: 'Hallo?' }]
  const body = path === '/v1/responses' ? { model, input: 'Hallo?' } : { model, messages: said, max_tokens: 100 }
  const reply = await gateway.post(path, body, {
    authorization: `Bearer ${key}`,
    ...(session === '' ? {} : { 'x-stickler-session': session }),
  })
  expect(JSON.stringify(gateway.upstream.requests.at(-1)?.json)).not.toMatch(/session_state|"steps"/)
  return reply.status
}

describe('validators are told of the session', () => {
  test('step by step, whatever the API, at once, and after a restart', async () => {
    expect(await say('what')).toBe(200)
    expect(await say('why', { path: '/v1/responses' })).toBe(200)
    expect(await say('why', { path: '/v1/messages' })).toBe(200)
    expect(await say('done')).toBe(200)
    expect(await say('what')).toBe(422)
    expect(seen.map(({ step }) => step)).toEqual([undefined, 'what', 'why', 'why', 'done'])
    expect(seen.map(({ steps }) => steps?.map(({ step }) => step))).toEqual([
      [],
      ['what'],
      ['what', 'why'],
      ['what', 'why'],
      ['what', 'why', 'done'],
    ])
    await gateway.close()
    gateway = await start({ STICKLER_KEYS: 'a:key-of-client-a-0001,b:key-of-client-b-0001' })
    seen = []
    expect(await say('what')).toBe(422)
    expect(seen).toMatchObject([{ session: 's', step: 'done' }])
  })

  test('of their own key alone, and of none where none is named or no step is kept', async () => {
    expect(await say('what', { key: 'key-of-client-b-0001' })).toBe(200)
    expect(await say('what', { session: '' })).toBe(200)
    expect(await say('what', { model: 'free' })).toBe(200)
    expect(seen).toEqual([{ session: 's', steps: [] }, {}, {}])
  })
})

test('a validator of a user declares its step, and the values that end a session, by itself', async () => {
  const read = async () => {
    const reply = await gateway.get('/api/v1/sessions/t', { authorization: 'Bearer key-of-client-a-0001' })
    const { step, steps, status, newest } = (await reply.json()) as Seen & { status: string; newest: { items: { facts?: unknown }[] } }
    return { step, steps: steps?.map((one) => one.step), status, facts: newest.items[0]?.facts }
  }
  const of = { session: 't', model: 'talk' }
  expect(await say('open', of)).toBe(200)
  // Another contract's last word does not end this session.
  expect(await say('done', of)).toBe(200)
  await expect.poll(read).toEqual({ step: 'done', steps: ['open', 'done'], status: 'active', facts: { mood: 'good', step: 'done' } })
  expect(await say('closed', { session: 't', model: 'free' })).toBe(200)
  expect((await read()).status).toBe('active')
  expect(seen).toMatchObject([{ session: 't', steps: [] }, { step: 'open' }, {}])
  gateway.upstream.enqueue(answering('done STEP: closed'))
  await gateway.post(
    '/v1/chat/completions',
    { model: 'talk', messages: [{ role: 'user', content: 'Hallo?' }] },
    { authorization: 'Bearer key-of-client-a-0001', 'x-stickler-session': 't' },
  )
  await expect.poll(read).toMatchObject({ step: 'closed', steps: ['open', 'done', 'closed'], status: 'done' })
})

describe('what is known of sessions', () => {
  const kept = contract({ preset: helix, checks: ['step_marker'] })
  const run = (number: number, step: string) => sampleRun(number, { session: `s${number}`, facts: { step } })

  test('is bounded', async () => {
    const states = new SessionStates({ read: async () => [], clock: systemClock, tell: () => {} })
    for (let number = 0; number < 1500; number++) states.note(run(number, 'why'))
    expect(await states.of('s0', '', kept)).toEqual({ session: 's0', steps: [] })
    expect(await states.of('s1499', '', kept)).toMatchObject({ step: 'why' })
  })

  test('is left out when the store fails or takes too long', async () => {
    const told: unknown[] = []
    const tell = (error: unknown) => void told.push(error)
    const broken = new SessionStates({ read: () => Promise.reject(new Error('gone')), clock: systemClock, tell })
    expect(await broken.of('s', '', kept)).toBeUndefined()
    const after: typeof systemClock.after = (_ms, act) => {
      act()
      return () => {}
    }
    const slow = new SessionStates({ read: () => new Promise(() => {}), clock: { ...systemClock, after }, tell })
    expect(await slow.of('s', '', kept)).toBeUndefined()
    expect(told).toHaveLength(2)
  })
})
