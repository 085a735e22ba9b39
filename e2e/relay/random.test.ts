import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestGateway, type TestGateway } from '../../packages/gateway/src/testing/test-gateway.ts'
import { differences } from './differences.ts'
import { mayWait, shrink } from './not-yet.ts'
import { comparable, requestText, send } from './raw.ts'
import { chatStream, chatWhole, messagesStream, messagesWhole } from './recordings/random.ts'
import type { Recording } from './recordings/recording.ts'
import { relayYaml } from './relay-yaml.ts'
import { replaying } from './replaying.ts'

// Replies that nobody foresaw: whatever a provider sends, a client decodes the same with and without the gateway.
const numRuns = 25
let gateway: TestGateway

beforeAll(async () => {
  gateway = await startTestGateway({ yaml: relayYaml })
})
afterAll(async () => {
  await gateway.close()
  shrink()
})

const kinds: Readonly<Record<string, fc.Arbitrary<Recording>>> = {
  'chat, streamed': chatStream,
  'chat, whole': chatWhole,
  'messages, streamed': messagesStream,
  'messages, whole': messagesWhole,
}

describe.each(['plain', 'kept'])('random replies, %s', (contract) => {
  // A contract withholds what ends in a way that nobody knows.
  const isKept = (recording: Recording) => contract === 'plain' || !JSON.stringify(recording).includes('"x_new_reason"')
  it.each(Object.keys(kinds))('%s', (name) =>
    mayWait(`random: ${name}, ${contract}`, async () => {
      await fc.assert(
        fc.asyncProperty((kinds[name] ?? chatWhole).filter(isKept), async (recording) => {
          gateway.upstream.otherwise(replaying(recording))
          const { api } = recording
          const model = `${api === 'messages' ? 'anthropic' : 'openai'}-${contract}`
          const body = requestText(api, model, recording.events !== undefined)
          const wanted = comparable(api, await send(gateway.upstream.url, api, body), contract === 'kept')
          const got = comparable(api, await send(gateway.url, api, body), contract === 'kept')
          expect(differences(wanted, got).join('\n')).toBe('')
        }),
        { numRuns },
      )
    }),
  )
})
