import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allRuns, askAt, inLanes } from '../../packages/gateway/src/testing/address-client.ts'
import { type ProgrammableUpstream, startProgrammableUpstream } from '../../packages/gateway/src/testing/programmable-upstream.ts'
import { answering } from '../../packages/gateway/src/testing/programmable-upstream-answers.ts'
import { bundleCommand, type CommandBundle, type ServedProcess, serveInProcess } from '../../packages/gateway/src/testing/served-process.ts'
import { apiNames, terminalsOf, textOf } from '../../packages/gateway/src/testing/wire.ts'
import { startPostgres, type TestPostgres } from '../support/postgres.ts'

let bundle: CommandBundle
let upstream: ProgrammableUpstream
let postgres: TestPostgres
const folders: string[] = []
const running = new Set<ServedProcess>()

beforeAll(async () => {
  let calls = 0
  const good = answering('Use spaces.', { chunks: ['Use ', 'spaces.'] })
  const bad = answering('That depends on a great many things.')
  // Every seventh answer is bad, so that there are runs with two attempts.
  const behaviour = (exchange: Parameters<typeof good>[0]) => (++calls % 7 === 0 ? bad : good)(exchange)
  ;[bundle, upstream, postgres] = await Promise.all([bundleCommand(), startProgrammableUpstream(behaviour), startPostgres()])
})

afterAll(async () => {
  for (const { process } of running) process.kill('SIGKILL')
  await Promise.all([upstream.close(), postgres.stop()])
  bundle.remove()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

async function start(folder: string, store: string): Promise<ServedProcess> {
  const yaml = `
server: { port: 0, inFlight: 100 }
store: { urlEnv: STORE, keepText: true }
log: { level: warn }
upstreams: [{ name: up, kind: openai, baseUrl: "${upstream.url}/v1", retries: 0 }]
contracts: { brief: { checks: [{ max_words: { limit: 5 } }], retries: 2, stream: hold } }
routes: [{ model: brief, upstream: up, contract: brief }]
`
  const served = await serveInProcess(bundle, { folder, yaml, env: { STORE: store } })
  if (served.url === '') throw new Error(served.said())
  running.add(served)
  void served.ended.then(() => running.delete(served))
  return served
}

/** Sends requests until the process is killed, which happens after so many have been acknowledged: their answers have been read to the end. */
async function askAndKill(served: ServedProcess, name: string, requests: number, killAfter: number): Promise<string[]> {
  const acknowledged: string[] = []
  await inLanes(requests, 25, async (index) => {
    const api = apiNames[index % 3] ?? 'chat'
    const stream = index % 2 === 0
    const id = `${name}-${index}`
    const reply = await askAt(served.url, api, { model: 'brief', stream, headers: { 'x-request-id': id } }).catch(() => undefined)
    const isWhole = reply?.status === 200 && !reply.broken && textOf(api, reply) === 'Use spaces.'
    if (!isWhole || (stream && !terminalsOf(api, reply).includes('done'))) return
    acknowledged.push(id)
    if (acknowledged.length === killAfter) served.process.kill('SIGKILL')
  })
  return acknowledged
}

describe.each(['sqlite', 'postgres'])('H20 kill -9 in the middle of 500 requests, %s', (engine) => {
  // Three starts and a thousand requests take minutes on a busy machine; the cap is against hanging only.
  test('every acknowledged run is there after the restart, once, and nothing is broken', { timeout: 300_000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'stickler-kill-'))
    folders.push(folder)
    const store = engine === 'sqlite' ? `sqlite:${join(folder, 'stickler.db')}` : await postgres.newDatabase()

    const first = await start(folder, store)
    const acknowledged = await askAndKill(first, 'first', 500, 200)
    expect(await first.ended).toBe('SIGKILL')
    // Some were under way when the process died, so the cut went through the middle.
    expect(acknowledged.length).toBeGreaterThanOrEqual(200)
    expect(acknowledged.length).toBeLessThan(500)

    const second = await start(folder, store)
    acknowledged.push(...(await askAndKill(second, 'second', 500, 50)))
    expect(await second.ended).toBe('SIGKILL')

    const third = await start(folder, store)
    const missing = async () => {
      const there = new Set((await allRuns(third.url)).map(({ requestId }) => requestId))
      return acknowledged.filter((id) => !there.has(id))
    }
    await expect.poll(missing, { timeout: 120_000, interval: 100 }).toEqual([])

    const runs = await allRuns(third.url)
    const ids = runs.map(({ requestId }) => requestId)
    expect(new Set(ids).size).toBe(ids.length)
    expect(runs.some(({ attempts }) => attempts === 2)).toBe(true)
    // Others may have met the bad answer twice, and were refused.
    const seen = runs.filter(({ requestId }) => acknowledged.includes(requestId))
    for (const { id } of seen.slice(0, 20)) {
      const whole = (await (await fetch(`${third.url}/api/v1/runs/${id}`)).json()) as { attempts: unknown[]; text: string }
      expect(whole).toMatchObject({ text: 'Use spaces.', attempts: expect.arrayContaining([expect.objectContaining({ number: 1 })]) })
    }
    expect((await askAt(third.url, 'chat', { model: 'brief' })).status).toBe(200)
    expect(third.said()).not.toMatch(/lines-skipped|records-refused|failing/)

    third.process.kill('SIGTERM')
    expect(await third.ended).toBe(0)
    expect(readdirSync(folder).filter((name) => name.endsWith('.jsonl'))).toEqual([])
    if (engine === 'sqlite') expect(integrityOf(join(folder, 'stickler.db'))).toEqual([{ integrity_check: 'ok' }])
  })
})

function integrityOf(path: string): unknown {
  const database = new Database(path)
  try {
    return database.prepare('pragma integrity_check').all()
  } finally {
    database.close()
  }
}
