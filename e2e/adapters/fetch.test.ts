import type { Outcome } from '@stickler/core'
import { anthropicMiddleware, enforcedFetch } from '@stickler/core/fetch'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ProgrammableUpstream, startProgrammableUpstream } from '../../packages/gateway/src/testing/programmable-upstream.ts'
import { failing } from '../../packages/gateway/src/testing/programmable-upstream-faults.ts'
import { type AdapterCase, cases, type Seen } from './cases.ts'
import { type Client, clients, codeOf, type Way } from './clients.ts'
import { behaviourOf } from './upstream.ts'

let upstream: ProgrammableUpstream
beforeAll(async () => {
  upstream = await startProgrammableUpstream(failing(500))
})
afterAll(() => upstream.close())

/** Asks through a client whose requests go through us. */
async function ask(client: Client, { contract, tools, answers }: AdapterCase, stream: boolean, isMiddleware = false): Promise<Seen> {
  const outcomes: Outcome[] = []
  const options = { onOutcome: (outcome: Outcome) => void outcomes.push(outcome) }
  const own: Partial<Way> = isMiddleware
    ? { middleware: [anthropicMiddleware(contract, options)] }
    : { fetch: enforcedFetch(contract, options) }
  upstream.enqueue(...answers.map(behaviourOf))
  const given = await client({ url: upstream.url, model: 'm', ...own }, stream, tools === true).then(
    (answer) => ({ delivered: true, ...answer }),
    (thrown: unknown) => ({ delivered: false, code: codeOf(thrown) ?? String(thrown) }),
  )
  expect(outcomes).toHaveLength(1)
  const [{ status, attempts }] = outcomes as [Outcome]
  return { ...given, status, attempts }
}

describe.each(Object.entries(clients))('%s', (_, client) => {
  for (const stream of [false, true]) {
    test.each(cases)(`$name, ${stream ? 'streamed' : 'whole'}`, async (one) => {
      expect(await ask(client, one, stream)).toEqual(one.seen)
    })
  }
})

describe('@anthropic-ai/sdk, by its middleware', () => {
  for (const stream of [false, true]) {
    test.each(cases)(`$name, ${stream ? 'streamed' : 'whole'}`, async (one) => {
      expect(await ask(clients['@anthropic-ai/sdk'] as Client, one, stream, true)).toEqual(one.seen)
    })
  }
})
