import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Contract } from '@stickler/core'
import { readGatewayConfig } from '../config/reading/read-gateway-config.ts'
import type { GatewayConfig } from '../config/resolved/gateway-config.ts'
import { type Gateway, startGateway } from '../gateway.ts'
import type { GatewayOptions } from '../gateway-parts.ts'
import { openPluginHost } from '../services/judging/plugin-threads.ts'
import { type Behaviour, type ProgrammableUpstream, startProgrammableUpstream } from './programmable-upstream.ts'
import { answering } from './programmable-upstream-answers.ts'

/** A gateway in front of a programmable upstream. */
export interface TestGateway extends Gateway {
  readonly upstream: ProgrammableUpstream
  readonly config: GatewayConfig
  /** Every log line so far. */
  readonly logLines: readonly string[]
  /** Where the store lies. */
  readonly folder: string
  /** Sends JSON, and reads the answer as it is. */
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>, signal?: AbortSignal): Promise<Response>
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Response>
}

/** What a test gateway is started with. */
export interface TestGatewayOptions extends Partial<Omit<GatewayOptions, 'config' | 'log'>> {
  /** The rest of the configuration as YAML; `$UP` stands for the upstream's address. */
  readonly yaml?: string
  readonly env?: Readonly<Record<string, string>>
  readonly behaviour?: Behaviour
  /** In place of a new folder. */
  readonly folder?: string
  readonly store?: string
  /** Changes each contract after it was read. */
  readonly contract?: (contract: Contract) => Contract
}

/** Three contracts and routes that most tests do with. */
export const usualYaml = `
upstreams:
  - { name: up, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0, timeouts: { firstByte: 2, idle: 2, total: 10 } }
contracts:
  brief: { checks: [{ max_words: { limit: 5 } }], retries: 1, stream: hold }
  marked: { checks: [step_marker], retries: 1 }
  grounded: { checks: [{ citations: {} }], retries: 1 }
  called: { checks: [tool_calls], retries: 1 }
routes:
  - { model: brief, upstream: up, contract: brief }
  - { model: marked, upstream: up, contract: marked }
  - { model: grounded, upstream: up, contract: grounded }
  - { model: called, upstream: up, contract: called }
  - { model: plain, upstream: up, upstreamModel: real-model }
`

/** Starts a gateway on a free port with a store in a folder of its own. */
export async function startTestGateway(options: TestGatewayOptions = {}): Promise<TestGateway> {
  const upstream = await startProgrammableUpstream(options.behaviour ?? answering('Hello.'))
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'stickler-gateway-')))
  const written = (options.yaml ?? usualYaml).replaceAll('$UP', upstream.url)
  const store = options.store ?? `sqlite:${join(folder, 'stickler.db')}`
  const source = `${/^server:/m.test(written) ? '' : 'server: { port: 0 }\n'}${/^store:/m.test(written) ? '' : `store: { url: "${store}", keepText: true }\n`}${written}`
  const read = await readGatewayConfig(source, 'test.yaml', {
    env: { UP_KEY: 'upstream-secret-key', ...options.env },
    readFile: () => Promise.reject(new Error('no files here')),
    cwd: folder,
    plugins: openPluginHost,
  })
  const { contract: changed = (contract: Contract) => contract } = options
  const config = { ...read, contracts: new Map([...read.contracts].map(([name, one]) => [name, changed(one)])) }
  const logLines: string[] = []
  const gateway = await startGateway({
    ...options,
    config,
    log: { write: (lines: string) => void logLines.push(...lines.split('\n').filter((line) => line !== '')) },
  })
  return {
    ...gateway,
    upstream,
    config,
    get logLines() {
      gateway.flushLog()
      return logLines
    },
    folder,
    post: (path, body, headers = {}, signal) =>
      fetch(`${gateway.url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
        ...(signal ? { signal } : {}),
      }),
    get: (path, headers = {}) => fetch(`${gateway.url}${path}`, { headers }),
    async close(graceMs = 0) {
      await gateway.close(graceMs)
      await upstream.close()
      if (options.folder === undefined) await rm(folder, { recursive: true, force: true })
    },
  }
}
