import { type Contract, contract, defineValidator } from '@stickler/core'
import { systemClock } from '@stickler/core/internal'
import { afterEach, beforeEach } from 'vitest'
import * as z from 'zod'
import type { RunRecord } from '../records/run/run-record.ts'
import type { CheckRouteParts } from '../routes/check/check-route.ts'
import { guardrailRoutes } from '../routes/guardrails/guardrail-routes.ts'
import { startFront, type TestFront } from './http-front.ts'

const email = { sensitive: { kinds: ['email'], redact: true } } as const
const crash = defineValidator({
  name: 'crash',
  summary: 'Never has a verdict.',
  options: z.strictObject({}),
  codes: {},
  instruct: () => '',
  prepare: () => ({
    // biome-ignore lint/correctness/useYield: it throws before.
    *check() {
      throw new Error('out of order')
    },
  }),
})
/** The contracts that a path may name. */
export const contracts = new Map<string, Contract>([
  ['short', contract({ checks: [{ max_words: { limit: 2 } }] })],
  ['mail', contract({ checks: [email] })],
  ['data', contract({ checks: [{ json: { schema: { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] } } }] })],
  ['tools', contract({ checks: ['tool_calls'] })],
  ['crash', contract({ checks: [crash({})] })],
  ['open', contract({ checks: [crash({})], unchecked: 'deliver' })],
  ['tagged', contract({ checks: [{ max_words: { limit: 2 }, when: { tag: 'litellm', model: 'gpt-*' } }] })],
])

/** What a test sees and may change: the front, its parts, and what was recorded. */
export const stage = {} as { front: TestFront; parts: CheckRouteParts; runs: RunRecord[]; recording: () => Promise<void> }

/** Starts the guardrails for each test of a file. */
export function setUp(): void {
  beforeEach(open)
  afterEach(() => stage.front.close())
}

async function open(): Promise<void> {
  stage.runs = []
  stage.recording = async () => {}
  let ids = 0
  stage.parts = {
    contracts: () => contracts,
    recorder: {
      run(record: RunRecord) {
        stage.runs.push(record)
        return stage.recording()
      },
    },
    clock: systemClock,
    observe() {},
    attemptFailed() {},
    admit: () => undefined,
    today: () => 1000,
    newRunId: () => `run-${++ids}`,
  }
  stage.front = await startFront(guardrailRoutes(stage.parts), { keys: 'alice:secret-key-1', settings: { maxBodyBytes: 1 << 16 } })
}

/** The header with the key of a client. */
export const key = { authorization: 'Bearer secret-key-1' }

/** Sends a body to a guardrail. */
export async function post(path: string, body: unknown, headers: Readonly<Record<string, string>> = key) {
  const response = await fetch(`http://127.0.0.1:${stage.front.port}/guardrails/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' || body instanceof Uint8Array ? (body as string) : JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

/** A call as chat completions have it. */
export const call = (name: string, given: unknown) => ({
  id: 'call_1',
  type: 'function',
  function: { name, arguments: typeof given === 'string' ? given : JSON.stringify(given) },
})
/** The tool that is offered. */
export const weather = {
  type: 'function',
  function: { name: 'weather', parameters: { type: 'object', properties: { days: { type: 'integer' } }, required: ['days'] } },
}
