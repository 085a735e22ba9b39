import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { readGatewayConfig } from '../../packages/gateway/src/config/reading/read-gateway-config.ts'
import type { GatewayConfig } from '../../packages/gateway/src/config/resolved/gateway-config.ts'
import { type Gateway, startGateway } from '../../packages/gateway/src/gateway.ts'
import { openPluginHost } from '../../packages/gateway/src/services/judging/plugin-threads.ts'
import { type ProgrammableUpstream, startProgrammableUpstream } from '../../packages/gateway/src/testing/programmable-upstream.ts'
import { answering } from '../../packages/gateway/src/testing/programmable-upstream-answers.ts'

/** Values by their paths, such as `upstreams.0.model`. */
export type Values = Readonly<Record<string, unknown>>

/** Where its files are. */
export let folder = ''
/** The provider behind it. */
let upstream: ProgrammableUpstream
/** The gateway that is reloaded. */
export let gateway: Gateway
let now = Date.UTC(2026, 0, 1)
/** What it has logged. */
export const lines: string[] = []
const env = {
  STORE: 'sqlite::memory:',
  INDEX: 'other.db',
  UP_KEY: 'first-key',
  OTHER_KEY: 'second-key',
  CLIENTS: 'alice:a-key-of-alice',
  OPERATORS: 'root:a-key-of-root',
}

/** The file before each change; JSON is YAML. */
function base(): Record<string, unknown> {
  return {
    server: { port: 0 },
    store: { url: `sqlite:${join(folder, 'stickler.db')}` },
    upstreams: [
      { name: 'up', kind: 'openai', baseUrl: `${upstream.url}/v1`, apiKeyEnv: 'UP_KEY', retries: 0 },
      { name: 'second', kind: 'scripted', answers: ['Second [^1].'] },
      { name: 'slow', kind: 'scripted', answers: [{ text: 'Slow.', delayMs: 250 }] },
      { name: 'command', kind: 'claude-cli' },
    ],
    contracts: { brief: { checks: [{ max_words: { limit: 5 } }], retries: 0, stream: 'hold' } },
    routes: [
      { model: 'plain', upstream: 'up' },
      { model: 'slow', upstream: 'slow', contract: 'brief' },
    ],
    retrieval: { index: 'index.db' },
    ask: { upstreams: ['second'] },
  }
}

/** The configuration with values at paths such as `upstreams.0.model`. */
export async function withValues(values: Values): Promise<GatewayConfig> {
  const file = base()
  for (const [path, value] of Object.entries(values)) {
    const keys = path.split('.')
    const last = keys.pop() ?? ''
    let at = file
    for (const key of keys) {
      at[key] ??= {}
      at = at[key] as Record<string, unknown>
    }
    at[last] = structuredClone(value)
  }
  const readFile = () => Promise.reject(new Error('there are no files'))
  return readGatewayConfig(JSON.stringify(file, null, 1).replaceAll('$UP', upstream.url), 'stickler.yaml', {
    env,
    readFile,
    cwd: folder,
    plugins: openPluginHost,
  })
}

/** Starts the gateway before the tests of a file, and ends it after them. */
export function startReloadedGateway(): void {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'stickler-keys-'))
    upstream = await startProgrammableUpstream(answering('Hello.'))
    const write = (text: string): void => void lines.push(...text.split('\n').filter((line) => line !== ''))
    gateway = await startGateway({ config: await withValues({}), log: { write }, today: () => now })
  })
  afterAll(async () => {
    await gateway.close(0)
    await upstream.close()
    await rm(folder, { recursive: true, force: true })
  })
}

/** Lets days pass for what is kept. */
export function passDays(days: number): void {
  now += days * 86_400_000
}

/** What the gateway replied. */
export interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** Sends a request to the gateway on a connection of its own. */
export function send(method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const typed = body === undefined ? headers : { 'content-type': 'application/json', ...headers }
    const request = httpRequest(`${gateway.url}${path}`, { method, headers: typed, agent: false }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
    })
    request.on('error', reject).end(body === undefined ? undefined : JSON.stringify(body))
  })
}

/** Asks the plain model. */
export const chat = (headers?: Readonly<Record<string, string>>, more: object = {}) =>
  send('POST', '/v1/chat/completions', { model: 'plain', messages: [{ role: 'user', content: 'Hi' }], ...more }, headers)
/** The status of the same. */
export const chatStatus = async (headers?: Readonly<Record<string, string>>, more?: object) => (await chat(headers, more)).status
/** Whether one of two requests at the same time is refused; the answer is slow enough for both to arrive before it ends. */
export const atOnce = async () => (await Promise.all([1, 2].map(() => chatStatus({}, { model: 'slow' })))).includes(429)
/** A question that `/ask` can answer. */
export const question = { question: 'What is sent?', sources: [{ urn: 'a', payload: 'The second thing is sent.' }] }
/** The status of `/ask`. */
export const askStatus = async (more: object = {}) => (await send('POST', '/ask', { ...question, ...more })).status
/** What the provider was sent last. */
export const sent = async () => {
  await chat()
  const last = upstream.requests.at(-1)
  return { path: last?.path ?? '', headers: last?.headers ?? {}, json: last?.json ?? {} }
}
let counter = 0
/** The run of a request that is made for it, by a session of its own: those of earlier requests may be recorded late. */
export const lastRun = async (): Promise<Record<string, unknown>> => {
  const session = `run-${++counter}`
  await chat({ 'x-stickler-session': session })
  const runs = async (): Promise<readonly { readonly id: string }[]> =>
    JSON.parse((await send('GET', `/api/v1/runs?session=${session}`)).text).items
  await expect.poll(runs).toHaveLength(1)
  return JSON.parse((await send('GET', `/api/v1/runs/${(await runs())[0]?.id}`)).text)
}
/** The text of a reply. */
export const reply = ({ text }: Reply): unknown => JSON.parse(text).choices[0].message.content
/** The audit of a question that is asked for it, by the digest of its own words: those of earlier questions may be recorded late. */
export const lastAudit = async (): Promise<string> => {
  const own = `${question.question} (${++counter})`
  await send('POST', '/ask', { ...question, question: own })
  const hash = createHash('sha256').update(own).digest('hex')
  const found = async (): Promise<string> => {
    const { items } = JSON.parse((await send('GET', '/api/v1/audit?limit=50')).text)
    return JSON.stringify(items.filter((item: unknown) => JSON.stringify(item).includes(hash)))
  }
  // It is recorded after the reply.
  await expect.poll(found).not.toBe('[]')
  return found()
}
