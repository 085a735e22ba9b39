import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { requireBuilt } from '../../../../../e2e/support/require-built.ts'
import { type TestDatabase, testEngines } from '../../../../gateway/src/testing/store-engines.ts'
import { UnreachableError } from '../../errors.ts'
import { folderWith } from '../../testing/run-cli.ts'
import { type SpawnedCli, spawnCli } from '../../testing/spawn-cli.ts'
import { answerKey } from '../judging/verdict-journal.ts'
import type { JudgingSlot } from './judging-slot.ts'
import { openQueueDatabase } from './queue-database.ts'
import { contractOf, jobOptions, queueOf, readJob, writeJob } from './queue-jobs.ts'
import { workOffJob } from './work-off-job.ts'

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

const contracts =
  'contracts: { a: { checks: [{ max_words: { limit: 60 } }, repetition] }, b: { checks: [{ max_words: { limit: 30 } }] } }\n'

function linesOf(count: number): string {
  const line = (at: number) => `${JSON.stringify({ id: `r${at}`, text: `Answer ${at} ${'is rather long. '.repeat(at % 50)}` })}\n`
  return Array.from({ length: count }, (_, at) => line(at)).join('')
}

/** A report without its time, and the id that depends on it. */
const data = (stdout: string): string => stdout.replace(/"id": "eval_[^"]*"/, '').replace(/"at": \d+/, '')

/** What is left in the tables. */
async function leftIn(url: string): Promise<readonly number[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const counts: number[] = []
  for (const table of ['stickler_eval_1.verdicts', 'stickler_eval_1.evaluations', 'stickler_jobs.job', 'stickler_jobs.queue'])
    counts.push(Number((await client.query(`select count(*) from ${table}`)).rows[0].count))
  await client.end()
  return counts
}

/** Runs one statement as somebody else would. */
async function count(url: string, sql: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  try {
    await client.connect()
    return Number((await client.query(sql)).rows[0].count)
  } catch {
    return 0
  } finally {
    await client.end()
  }
}

const verdicts = 'select count(*) from stickler_eval_1.verdicts'

/** Starts a worker again whenever it ends, as a supervisor does, until the test says so. */
function supervise(argv: readonly string[], cwd: string): { current(): SpawnedCli; starts(): number; stop(): void } {
  let isStopped = false
  let starts = 0
  let current = start()
  function start(): SpawnedCli {
    starts++
    const one = spawnCli(argv, cwd)
    void one.ended.then(() => {
      if (!isStopped) current = start()
    })
    return one
  }
  const stop = (): void => {
    isStopped = true
    current.child.kill('SIGKILL')
  }
  onTestFinished(stop)
  return { current: () => current, starts: () => starts, stop }
}

test('workers and evaluations that are killed at random lose and double nothing, and the report is that of a local run', async () => {
  const { url } = await newDatabase()
  const cwd = await folderWith({ 'stickler.yaml': contracts, 'a.jsonl': linesOf(6000) })
  const argv = ['eval', 'a.jsonl', '--contract', 'a', '--against', 'b', '--json']
  const local = spawnCli([...argv, '--no-cache'], cwd)
  expect(await local.ended).toBe(0)
  const [killed, other] = [0, 1].map(() => supervise(['worker', '--queue', url, '--threads', '1'], cwd))
  const queued = [...argv, '--queue', url, '--job-timeout', '2']
  let evaluation = spawnCli(queued, cwd)
  let kills = 0
  for (const more of fc.sample(fc.integer({ min: 1, max: 2000 }), 6)) {
    const enough = (await count(url, verdicts)) + more
    while ((await count(url, verdicts)) < enough && evaluation.child.exitCode === null) await pause(5)
    if (evaluation.child.exitCode !== null) break
    killed?.current().child.kill('SIGKILL')
    // Each other time the evaluation too.
    if (kills++ % 2 === 0) {
      evaluation.child.kill('SIGKILL')
      await evaluation.ended
      evaluation = spawnCli(queued, cwd)
    }
  }
  expect(kills).toBeGreaterThan(1)
  expect(await evaluation.ended, evaluation.output.stderr).toBe(0)
  expect(data(evaluation.output.stdout)).toBe(data(local.output.stdout))
  expect(killed?.starts()).toBeGreaterThan(1)
  other?.stop()
  // What was known is not asked for again: no worker is needed.
  killed?.stop()
  // A job that a worker had taken when it was killed keeps its queue until it expires.
  await pause(2500)
  const again = spawnCli(queued, cwd)
  expect(await again.ended).toBe(0)
  expect(data(again.output.stdout)).toBe(data(local.output.stdout))
  expect(again.output.stderr).toContain('12000 of 12000 verdicts were known already')
  expect(await leftIn(url)).toEqual([0, 0, 0, 0])
}, 600_000)

test('a database that is away for a while interrupts nothing', async () => {
  const database = await newDatabase()
  const cwd = await folderWith({ 'stickler.yaml': contracts, 'a.jsonl': linesOf(10_000) })
  const argv = ['eval', 'a.jsonl', '--contract', 'a', '--json']
  const local = spawnCli([...argv, '--no-cache'], cwd)
  expect(await local.ended).toBe(0)
  const worker = spawnCli(['worker', '--queue', database.url, '--threads', '1'], cwd)
  const evaluation = spawnCli([...argv, '--save', '--queue', database.url], cwd)
  // The dashboard reads this.
  const folder = join(cwd, '.stickler/evaluations')
  const progress = async (): Promise<unknown> => {
    const [file = ''] = await readdir(folder).catch(() => [])
    if (file === '') return {}
    expect(file).toMatch(/^run_[\w-]+\.progress$/)
    return JSON.parse(await readFile(join(folder, file), 'utf8'))
  }
  const isUnderWay = async (): Promise<boolean> =>
    (await count(database.url, verdicts)) >= 2000 && JSON.stringify(await progress()).includes('"workers":1')
  while (!(await isUnderWay()) && evaluation.child.exitCode === null) await pause(5)
  database.fail()
  await pause(3000)
  const running = { name: 'a.jsonl', contract: 'a', status: 'running', queued: expect.any(Number), workers: 1, share: expect.any(Number) }
  expect(await progress()).toMatchObject(running)
  expect([evaluation.child.exitCode, worker.child.exitCode]).toEqual([null, null])
  database.mend()
  expect(await evaluation.ended, evaluation.output.stderr).toBe(0)
  expect(data(evaluation.output.stdout)).toBe(data(local.output.stdout))
  expect(await readdir(folder)).toEqual([expect.stringMatching(/^eval_.*\.json$/)])
  for (const { stderr } of [evaluation.output, worker.output]) {
    expect(stderr).toContain('does not answer')
    expect(stderr).toContain('answers again')
    expect(stderr).not.toContain('not-a-secret')
  }
  worker.child.kill('SIGTERM')
  expect(await worker.ended).toBe(0)
  expect(worker.output.stderr).toContain('judged 10000 answers')
}, 600_000)

test('a database that stays away is reported in the end', async () => {
  const gate = await newDatabase()
  const said: string[] = []
  const options = { connections: 3, signal: new AbortController().signal, patienceMs: 500, onAway: (text: string) => void said.push(text) }
  const database = await openQueueDatabase({ url: gate.url, shown: 'Q' }, options)
  gate.fail()
  await expect(database.query('select 1')).rejects.toThrow(UnreachableError)
  await expect(database.take('eval_x')).rejects.toThrow('the queue Q does not answer')
  expect(said).toEqual([expect.stringContaining('trying again')])
  gate.mend()
  expect(await database.take('eval_x')).toBeUndefined()
  expect(said.at(-1)).toBe('the queue Q answers again')
  await expect(database.query('select wrong')).rejects.toThrow('a statement was rejected (42703)')
  await database.close()
})

test('what cannot be connected to is reported without its password', async () => {
  const { url } = await newDatabase()
  const cwd = await folderWith({ 'stickler.yaml': contracts, 'a.jsonl': linesOf(3) })
  const wrong = new URL(url)
  wrong.password = 'hush-hush'
  const nowhere = 'postgres://me:hush-hush@127.0.0.1:1/x?password=hush-hush'
  for (const [argv, env, code, said] of [
    [['--queue', nowhere], {}, 3, 'the queue postgres://me@127.0.0.1:1/x does not answer (ECONNREFUSED)'],
    [['--queue-env', 'QUEUE'], { QUEUE: nowhere }, 3, 'does not answer'],
    [['--queue', wrong.href], {}, 3, 'the password is wrong (28P01)'],
    [['--queue', url.replace(/[^/]*$/, 'missing')], {}, 3, 'there is no such database (3D000)'],
    [['--queue-env', 'NONE'], {}, 2, '--queue-env: NONE is not set'],
    [['--queue', 'mysql://me:hush-hush@host/x'], {}, 2, '--queue: expected'],
    [['--queue', 'sqlite:hush-hush.db'], {}, 2, '--queue: a queue needs PostgreSQL'],
    [['--queue', url, '--queue-env', 'QUEUE'], { QUEUE: url }, 2, 'exclude each other'],
  ] as const)
    for (const command of [['eval', 'a.jsonl', '--contract', 'a'], ['worker']]) {
      const run = spawnCli([...command, ...argv], cwd, env)
      expect(await run.ended, run.output.stderr).toBe(code)
      expect(run.output.stderr).toContain(said)
      expect(run.output.stderr + run.output.stdout).not.toMatch(/hush-hush|not-a-secret/)
    }
})

test('a worker with another contract never answers, and both sides say why', async () => {
  const { url } = await newDatabase()
  const cwd = await folderWith({ 'stickler.yaml': contracts, 'a.jsonl': linesOf(300) })
  const elsewhere = await folderWith({ 'stickler.yaml': contracts.replace('limit: 60', 'limit: 61') })
  const worker = spawnCli(['worker', '--queue', url, '--threads', '1'], elsewhere)
  const evaluation = spawnCli(['eval', 'a.jsonl', '--contract', 'a', '--json', '--queue', url], cwd)
  while (!evaluation.output.stderr.includes('does not have the contract a (') && evaluation.child.exitCode === null) await pause(50)
  while (!worker.output.stderr.includes('an evaluation waits for another a (')) await pause(50)
  expect(await count(url, verdicts)).toBe(0)
  worker.child.kill('SIGTERM')
  expect(await worker.ended).toBe(0)
  expect(worker.output.stderr).toContain('judged 0 answers')
  // The same files in another folder are the same contract.
  const copy = await folderWith({ 'stickler.yaml': contracts })
  spawnCli(['worker', '--queue', url, '--threads', '1', '--contract', 'a'], copy)
  expect(await evaluation.ended).toBe(0)
})

test('answers that PostgreSQL or JSON cannot hold get the verdicts of a local run', async () => {
  const { url } = await newDatabase()
  const deep = (levels: number) =>
    `{"id":"deep${levels}","message":{"role":"assistant","content":"x","extra":${'['.repeat(levels)}${']'.repeat(levels)}}}`
  const lines = [
    '{"id":"nul","text":"a\\u0000b"}',
    '{"id":"\\u0000\\ud800","text":"half \\ud800 and \\udc00"}',
    '{"id":"large","message":{"role":"assistant","content":"x","n":1e400,"m":-0}}',
    '{"id":"proto","message":{"role":"assistant","content":"x","__proto__":{"a":1}}}',
    `{"id":"huge","text":${JSON.stringify('word "quoted" \\ '.repeat(400_000))}}`,
    ...[100, 1000, 100_000].map(deep),
    '{"id":"twice","text":"the same"}',
    '{"id":"twice again","text":"the same"}',
    '{"id":"unreadable","text":7}',
    'not JSON',
  ]
  const cwd = await folderWith({ 'stickler.yaml': contracts, 'a.jsonl': `${lines.join('\n')}\n` })
  const argv = ['eval', 'a.jsonl', '--from', 'stickler', '--contract', 'a', '--json', '--texts']
  const local = spawnCli([...argv, '--no-cache'], cwd)
  const code = await local.ended
  expect(local.output.stdout, local.output.stderr).toContain('"answers": 9')
  spawnCli(['worker', '--queue', url, '--threads', '2'], cwd)
  for (const more of [[], ['--no-cache']]) {
    const queued = spawnCli([...argv, '--queue', url, ...more], cwd)
    expect(await queued.ended, queued.output.stderr).toBe(code)
    expect(data(queued.output.stdout)).toBe(data(local.output.stdout))
  }
  expect(await leftIn(url)).toEqual([0, 0, 0, 0])
})

test('baselines, gates, reports and exports are those of a local run', async () => {
  const { url } = await newDatabase()
  const cwd = await folderWith({ 'stickler.yaml': contracts, 'a.jsonl': linesOf(700) })
  spawnCli(['worker', '--queue', url, '--threads', '1'], cwd)
  const outputs = ['junit', 'markdown', 'jsonl', 'promptfoo']
  const both: unknown[] = []
  for (const [name, more] of [
    ['local', []],
    ['queue', ['--queue', url]],
  ] as const) {
    const bless = spawnCli(['eval', 'a.jsonl', '--contract', 'a', '--no-cache', '--baseline', `${name}.base`, '--bless', ...more], cwd)
    expect(await bless.ended, bless.output.stderr).toBe(0)
    const gates = ['--no-cache', '--baseline', `${name}.base`, '--max-new-failures', '0', '--min-valid', '0.99']
    const written = outputs.flatMap((format) => ['--output', `${format}=${name}.${format}`])
    const judged = spawnCli(['eval', 'a.jsonl', '--contract', 'b', ...gates, ...written, ...more], cwd)
    const code = await judged.ended
    const files = await Promise.all(['base', ...outputs].map((format) => readFile(join(cwd, `${name}.${format}`), 'utf8')))
    // Times, ids made from them, and the name of the baseline differ.
    const same = (text: string) =>
      text.replaceAll(`${name}.base`, '').replace(/eval_[a-z0-9]+_[\w-]{10}|"?\d{4}-\d\d-\d\dT[\d:.]+Z?"?|\d{13}/g, '')
    both.push([code, same(judged.output.stdout), files.map(same)])
  }
  expect(both[1]).toEqual(both[0])
  expect(both[0]).toMatchObject([1, expect.stringContaining('max-new-failures'), { length: 5 }])
})

test('an answer that ends its worker each time is unchecked after three attempts, and the others are judged', async () => {
  const { url } = await newDatabase()
  const plugin = `
    import { defineValidator } from '@stickler/core'
    import * as z from 'zod'
    export const poison = defineValidator({
      name: 'poison',
      summary: 'Ends its process.',
      options: z.strictObject({}),
      codes: { POISON: { severity: 'error', when: 'Never.', fix: 'None.' } },
      instruct: () => 'Be harmless.',
      prepare: () => ({ *check({ text }) { if (text.includes('POISON')) process.kill(process.pid, 'SIGKILL') } }),
    })`
  const lines = ['fine', 'POISON', 'fine too'].map((text, at) => `{"id":"r${at}","text":"${text}"}\n`).join('')
  const files = { 'poison.mjs': plugin, 'stickler.yaml': 'plugins: [./poison.mjs]\ncontracts: { a: { checks: [poison] } }\n' }
  const cwd = await folderWith({ ...files, 'a.jsonl': lines })
  const worker = supervise(['worker', '--queue', url, '--threads', '1'], await folderWith(files))
  const evaluation = spawnCli(['eval', 'a.jsonl', '--contract', 'a', '--json', '--queue', url, '--job-timeout', '4'], cwd)
  expect(await evaluation.ended, evaluation.output.stderr).toBe(0)
  expect(JSON.parse(evaluation.output.stdout)).toMatchObject({
    answers: 3,
    statuses: { valid: 2, unchecked: 1 },
    unchecked: { 'worker crash': 1 },
  })
  // One for the batch and three for the answer alone.
  expect(worker.starts()).toBe(5)
  expect(await leftIn(url)).toEqual([0, 0, 0, 0])
}, 120_000)

test('a batch that takes too long is divided, and an answer that does is unchecked', async () => {
  const { url } = await newDatabase()
  const database = await openQueueDatabase({ url, shown: '' }, { connections: 3, signal: new AbortController().signal })
  const name = queueOf('x')
  await database.boss.createQueue(name, { name })
  const answers = ['quick', 'SLOW'].map((text) => ({ fields: { text } }))
  await database.boss.send(name, writeJob({ run: 'r', isKept: true, answers }), jobOptions(100))
  await database.boss.send(name, { foreign: true })
  const verdict = {
    status: 'valid' as const,
    delivered: true,
    errors: [],
    fixed: [],
    warnings: [],
    repairs: [],
    unchecked: [],
    action: 'deliver' as const,
  }
  const asked: number[] = []
  const slot: JudgingSlot = {
    async judge(some) {
      asked.push(some.length)
      return some.some(({ fields }) => fields.text === 'SLOW') ? { failure: 'timeout' } : { results: some.map(() => ({ verdict })) }
    },
    ready: async () => {},
    close: async () => {},
  }
  const setting = { database, slot, contract: { hash: 'x', place: 0 }, stopping: new AbortController().signal }
  for (let job = await database.take(name); job !== undefined; job = await database.take(name)) await workOffJob(job, setting)
  expect(asked).toEqual([2, 1, 1, 1, 1])
  const rows = await database.query<{ run: string; result: string }>('select run, result from stickler_eval_1.verdicts order by run')
  expect(rows.map(({ run, result }) => [run, (JSON.parse(result) as { verdict: typeof verdict }).verdict])).toEqual([
    ['', verdict],
    ['r', expect.objectContaining({ status: 'unchecked', delivered: false, unchecked: ['worker timeout'] })],
  ])
  await database.close()
})

test('a result that somebody else has written and that is not a verdict is a fault', async () => {
  const { url } = await newDatabase()
  const cwd = await folderWith({ 'stickler.yaml': contracts, 'a.jsonl': linesOf(1) })
  const evaluation = spawnCli(['eval', 'a.jsonl', '--contract', 'a', '--json', '--no-cache', '--queue', url], cwd)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const findJob = async () => (await client.query<{ name: string; data: unknown }>('select name, data from stickler_jobs.job')).rows[0]
  let job: Awaited<ReturnType<typeof findJob>>
  while (job === undefined) job = await findJob().catch(() => undefined)
  const [answer] = readJob(job.data)?.answers ?? []
  if (answer === undefined) throw new Error('the job has no answer')
  const forged = [contractOf(job.name), Buffer.from(answerKey(answer).key, 'base64url'), '{"verdict":{"status":"valid"}}']
  await client.query("insert into stickler_eval_1.verdicts (contract, answer, run, result) values ($1, $2, '', $3)", forged)
  await client.end()
  expect(await evaluation.ended).toBe(1)
  expect(evaluation.output.stdout).toContain('the queue has a result that is not a verdict')
})
