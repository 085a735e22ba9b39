import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { requireBuilt } from '../../../../../e2e/support/require-built.ts'
import { type TestDatabase, testEngines } from '../../../../gateway/src/testing/store-engines.ts'
import { folderWith } from '../../testing/run-cli.ts'
import { spawnCli } from '../../testing/spawn-cli.ts'
import { openSlot } from './judging-slot.ts'

const engine = testEngines().find(({ name }) => name === 'postgres')
beforeAll(async () => {
  requireBuilt(['core', 'gateway', 'cli'])
  await engine?.start()
})
afterAll(() => engine?.stop())

async function newDatabase(): Promise<TestDatabase> {
  if (!engine) throw new Error('there is no PostgreSQL')
  const database = await engine.newDatabase('')
  onTestFinished(() => database.close())
  return database
}

/** A contract whose check says that it has begun, and never ends. */
const endless = {
  'endless.mjs': `
    import { writeFileSync } from 'node:fs'
    import { defineValidator } from '@stickler/core'
    import * as z from 'zod'
    export const endless = defineValidator({
      name: 'endless',
      summary: 'Never ends.',
      options: z.strictObject({}),
      codes: { ENDLESS: { severity: 'error', when: 'Never.', fix: 'None.' } },
      instruct: () => 'Be short.',
      prepare: () => ({
        *check() {
          writeFileSync(new URL('begun', import.meta.url), '')
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
        },
      }),
    })`,
  'stickler.yaml': 'plugins: [./endless.mjs]\ncontracts: { a: { checks: [endless] } }\n',
}

test('a worker that is judging when the database cannot be used any more ends', async () => {
  const database = await newDatabase()
  const cwd = await folderWith({ ...endless, 'a.jsonl': '{"id":"r","text":"x"}\n' })
  const worker = spawnCli(['worker', '--queue', database.url, '--threads', '2'], cwd)
  const evaluation = spawnCli(['eval', 'a.jsonl', '--contract', 'a', '--queue', database.url, '--job-timeout', '600'], cwd)
  while (!existsSync(join(cwd, 'begun')) && worker.child.exitCode === null && evaluation.child.exitCode === null) await pause(50)
  evaluation.child.kill('SIGKILL')
  // This fails at once; a database that is away is waited for.
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query('drop schema stickler_eval_1 cascade')
  await client.end()
  expect(await worker.ended, worker.output.stderr).toBe(3)
  expect(worker.output.stderr).toMatch(/cannot be used: a statement was rejected \(42P01\)\n$/)
  expect(worker.output.stderr).not.toMatch(/not-a-secret|unexpected|closed pool|after calling end/i)
}, 60_000)

test('a slot that is closed while it judges starts no other thread', async () => {
  const cwd = await folderWith(endless)
  const { stdin, stdout, stderr } = process
  const io = { stdin, stdout, stderr, env: {}, cwd, now: () => 0, signal: new AbortController().signal }
  const slot = openSlot([{ contract: 'a' }], io)
  await slot.ready()
  const judge = () => slot.judge([{ fields: { text: 'x' } }], 0, 60_000, new AbortController().signal)
  const judging = judge()
  while (!existsSync(join(cwd, 'begun'))) await pause(20)
  await slot.close()
  expect(await judging).toEqual({ failure: 'stopped' })
  expect(await judge()).toEqual({ failure: 'stopped' })
})
