import { type Contract, contract, defineValidator, issue } from '@stickler/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { startFaultGateway } from '../../packages/gateway/src/testing/fault-gateway.ts'
import { answering } from '../../packages/gateway/src/testing/programmable-upstream-answers.ts'
import type { TestGateway } from '../../packages/gateway/src/testing/test-gateway.ts'
import { ask, errorOf, textOf, verdictOf, ways } from '../../packages/gateway/src/testing/wire.ts'

const described = { summary: 'For tests.', options: z.strictObject({}), codes: {}, instruct: () => '' }

const throwing = defineValidator({
  ...described,
  name: 'throwing',
  prepare: () => ({
    // biome-ignore lint/correctness/useYield: it never gets that far
    *check() {
      throw new TypeError('CANARY of a validator')
    },
  }),
})
const hanging = defineValidator({
  ...described,
  name: 'hanging',
  prepare: () => ({
    async *check() {
      await new Promise(() => {})
    },
  }),
})
const crashingAtOnce = defineValidator({
  ...described,
  name: 'crashing_at_once',
  prepare: () => ({
    check: () => [],
    incremental: () => {
      throw new RangeError('CANARY of a validator')
    },
  }),
})
const noSix = defineValidator({
  ...described,
  name: 'no_six',
  codes: { SIX: { severity: 'error', when: 'It says six.', fix: 'Leave it out.' } },
  prepare: () => ({
    *check({ text }) {
      if (text.includes('six')) yield issue('SIX', 'Leave six out.')
    },
  }),
})

let gateway: TestGateway

beforeAll(async () => {
  gateway = await startFaultGateway()
  const limits = { retries: 1, timeoutMs: 100 } as const
  const contracts = new Map<string, Contract>([
    ...gateway.config.contracts,
    ['brief', contract({ checks: [throwing({}), noSix({})], ...limits, unchecked: 'deliver' })],
    ['live', contract({ checks: [hanging({}), noSix({})], ...limits, unchecked: 'deliver' })],
    ['called', contract({ checks: [throwing({}), hanging({})], ...limits })],
    ['shadow', contract({ checks: [crashingAtOnce({}), noSix({})], ...limits })],
  ])
  await gateway.reload({ ...gateway.config, contracts })
})
afterAll(() => gateway.close())

describe('U22 validators that cannot run', () => {
  describe.each([
    ['throws', 'brief', ['throwing']],
    ['never resolves', 'live', ['hanging']],
  ])('U22 one that %s', (_name, model, unchecked) => {
    test.each(ways)('%s %s: the answer is unchecked, never valid', async (api, how) => {
      gateway.upstream.enqueue(answering('one two three'))
      const reply = await ask(gateway, api, { model, stream: how === 'streamed' })
      expect([reply.status, textOf(api, reply)]).toEqual([200, 'one two three'])
      expect(verdictOf(reply)).toMatchObject({ status: 'unchecked', unchecked })
      expect(reply.body).not.toContain('CANARY')
    })

    test.each(ways)('%s %s: the others still run', async (api, how) => {
      gateway.upstream.enqueue(answering('four five six'), answering('four and five and six'))
      const reply = await ask(gateway, api, { model, stream: how === 'streamed' })
      expect(reply.status).toBe(422)
      expect(verdictOf(reply)).toMatchObject({ status: 'unresolved', issues: [{ code: 'SIX' }] })
    })
  })

  test.each(ways)('U22 what cannot be checked is withheld unless the contract says otherwise: %s %s', async (api, how) => {
    gateway.upstream.enqueue(answering('one two three'))
    const reply = await ask(gateway, api, { model: 'called', stream: how === 'streamed' })
    expect([reply.status, errorOf(reply)]).toMatchObject([424, { type: 'contract_unchecked', code: 'UNCHECKED' }])
    expect(reply.headers.get('x-should-retry')).toBe('false')
    expect(verdictOf(reply)).toMatchObject({ status: 'unchecked', unchecked: ['throwing', 'hanging'] })
    expect(reply.body).not.toMatch(/one two three|CANARY/)
  })

  test('U22 an incremental check that crashes holds the stream to its end', async () => {
    gateway.upstream.enqueue(answering('four five six'), answering('four five'))
    const reply = await ask(gateway, 'chat', { model: 'shadow', stream: true })
    expect(textOf('chat', reply)).toBe('four five')
    expect(verdictOf(reply)).toMatchObject({ status: 'valid', attempts: 2 })
  })
})
