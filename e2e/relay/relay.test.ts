import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RecordedRequest } from '../../packages/gateway/src/testing/programmable-upstream.ts'
import { startTestGateway, type TestGateway } from '../../packages/gateway/src/testing/test-gateway.ts'
import type { Decoded, RelayClient } from './clients/client.ts'
import { clients } from './clients/index.ts'
import { differences } from './differences.ts'
import { mayWait, shrink } from './not-yet.ts'
import { requestText, send } from './raw.ts'
import { chatRecordings } from './recordings/chat.ts'
import { messagesRecordings } from './recordings/messages.ts'
import type { Recording } from './recordings/recording.ts'
import { responsesRecordings } from './recordings/responses.ts'
import { relayYaml } from './relay-yaml.ts'
import { replaying } from './replaying.ts'

// The same call, made by the same client to the provider itself and through the gateway, must look the same on both sides.
let gateway: TestGateway

beforeAll(async () => {
  gateway = await startTestGateway({ yaml: relayYaml })
})
afterAll(async () => {
  await gateway.close()
  shrink()
})

const recordings = [...chatRecordings, ...messagesRecordings, ...responsesRecordings]
const apiHeaders = ['anthropic-version', 'anthropic-beta', 'openai-beta', 'content-type']

interface Seen {
  readonly sent: readonly unknown[]
  readonly got: Decoded
}

async function seen(client: RelayClient, recording: Recording, stream: boolean, direct: boolean, model: string): Promise<Seen | undefined> {
  const { upstream } = gateway
  const before = upstream.requests.length
  upstream.otherwise(replaying(recording))
  const got = await client.call({ url: `${direct ? upstream.url : gateway.url}/v1`, model }, recording, stream)
  return got && { got, sent: upstream.requests.slice(before).map(request) }
}

/** Body and headers of a request that belong to its API. */
function request({ method, path, json, headers }: RecordedRequest): unknown {
  // The gateway asks for the usage of chat streams, which budgets count.
  const body = { ...json, model: '', ...(json?.stream === true && path.endsWith('/chat/completions') ? { stream_options: {} } : {}) }
  const own = Object.fromEntries(apiHeaders.map((name) => [name, headers[name]]))
  return { method, path, body, headers: { ...own, 'content-type': String(own['content-type']).replace(/;.*/, '') } }
}

/** A contract may hold text back, and with it cut events elsewhere: then what they add up to counts, and their kinds in order. */
function comparable({ events, ...rest }: Decoded, contract: boolean): unknown {
  if (!contract || events === undefined) return { ...rest, events }
  const kinds = events.map(kindOf)
  return { ...rest, events: kinds.filter((kind, at) => kind !== kinds[at - 1]) }
}

/** A contract holds text back that is not proven safe, so an error that comes before any of it is shown is told by its status: what the client knows of it directly it must know here too. */
function namesTold({ events = [] }: Recording, direct: Decoded, got: Decoded): unknown {
  const last = events.at(-1) as { error?: object; response?: { error?: object } }
  const said = Object.values(last.error ?? last.response?.error ?? last).filter((value) => typeof value === 'string' && value !== 'error')
  return said.filter((value) => [direct, got].every((one) => JSON.stringify(one).includes(value as string)))
}

/** Providers that fail again and again are left alone for a while: a good answer between the cells keeps them apart. */
async function calm(model: string): Promise<void> {
  const api = model.startsWith('anthropic') ? 'messages' : 'chat'
  gateway.upstream.otherwise(replaying(recordings.find((one) => one.api === api && one.name === 'text') as Recording))
  expect((await send(gateway.url, api, requestText(api, model, false))).status).toBe(200)
}

function kindOf(event: unknown): string {
  const { type, choices, data } = event as { type?: string; choices?: readonly { delta?: object }[]; data?: unknown }
  if (choices !== undefined) return choices.map(({ delta = {} }) => Object.keys(delta).join(' ')).join(', ')
  return data === undefined ? String(type) : 'message'
}

for (const client of clients) {
  describe(client.name, () => {
    for (const recording of recordings.filter(({ api, name }) => api === client.api && !client.lacks?.includes(name))) {
      for (const stream of [false, true]) {
        if (!stream && client.name === 'openai chunks') continue
        if (stream ? recording.events === undefined && recording.status === undefined : recording.whole === undefined) continue
        for (const contract of recording.isCut || client.forces?.includes(recording.name) ? ['plain'] : ['plain', 'kept'])
          cell(client, recording, stream, contract)
      }
    }
  })
}

function cell(client: RelayClient, recording: Recording, stream: boolean, contract: string): void {
  const name = `${recording.name}, ${stream ? 'streamed' : 'whole'}, ${contract}`
  const compare = async () => {
    const model = `${client.api === 'messages' ? 'anthropic' : 'openai'}-${contract}`
    const direct = await seen(client, recording, stream, true, model)
    const relayed = await seen(client, recording, stream, false, model)
    if (direct === undefined || relayed === undefined) throw new Error('no call')
    const isGuarded = contract === 'kept'
    const [wanted, got] = [direct, relayed].map((one) => ({
      sent: one.sent,
      got: isGuarded && recording.breaks ? namesTold(recording, direct.got, one.got) : comparable(one.got, isGuarded),
    }))
    if (recording.breaks || recording.status !== undefined) await calm(model)
    expect(differences(wanted, got).join('\n')).toBe('')
  }
  it(name, () => mayWait(`${client.name}: ${name}`, compare))
}
