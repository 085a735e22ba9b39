import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { contract } from '@stickler/core'
import { systemClock } from '@stickler/core/internal'
import type { CheckJob } from '@stickler/core/internal/remote'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { requireBuiltJudge } from '../../testing/built-judge.ts'
import { JudgingCounts } from './judging-counts.ts'
import { JudgingPool, type PoolSettings } from './judging-pool.ts'

const module = new URL('../../testing/outside-validators.mjs', import.meta.url).href
const { policy } = contract({ checks: [], timeoutMs: 60_000 })

function jobOf(name: string, text: string): CheckJob {
  const checks = [name === 'step_marker' ? { name } : { name, module }]
  return {
    kind: 'check',
    contract: numbers.indexOf(name),
    checks,
    run: [0],
    policy,
    answer: { text, toolCalls: [] },
    context: {},
    around: {},
    values: true,
    mostRepairs: 1000,
  }
}
const numbers = ['looping', 'hoarding', 'leaving', 'uncopied', 'no_six', 'step_marker', 'absent']

beforeAll(() => requireBuiltJudge())

let pool: JudgingPool
let counts: JudgingCounts
function open(settings: Partial<PoolSettings> = {}): JudgingPool {
  counts = new JudgingCounts()
  pool = new JudgingPool({ clock: systemClock, counts, threads: 1, deadlineMs: 20_000, queue: 10, memoryMb: 64, ...settings })
  return pool
}
afterEach(() => pool.close())

const found = { kind: 'check', collected: [[expect.objectContaining({ code: 'SIX' })]] }
const nothing = { kind: 'check', collected: [[]] }
const six = () => pool.run(jobOf('no_six', 'six'), undefined)

describe('a job', () => {
  test('is performed in a thread, which is kept for the next one', async () => {
    open()
    expect(counts.threads).toBe(0)
    expect(await six()).toEqual(found)
    expect(await pool.run(jobOf('no_six', 'five'), undefined)).toEqual(nothing)
    expect([counts.threads, counts.ended('done'), counts.queued]).toEqual([1, 2, 0])
  })

  test('is performed in a program that comes from the command line too', async () => {
    const built = (name: string) => JSON.stringify(new URL(`../../../dist/services/judging/${name}.js`, import.meta.url).href)
    const settings = '{ clock: systemClock, counts: new JudgingCounts(), threads: 1, deadlineMs: 20000, queue: 10, memoryMb: 64 }'
    const code = `import { systemClock } from '@stickler/core/internal'
      import { JudgingCounts } from ${built('judging-counts')}
      import { JudgingPool } from ${built('judging-pool')}
      const pool = new JudgingPool(${settings})
      console.log(JSON.stringify(await pool.run(${JSON.stringify(jobOf('no_six', 'six'))}, undefined)))
      await pool.close()`
    const cwd = new URL('../../..', import.meta.url)
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code], { cwd })
    expect(JSON.parse(stdout)).toMatchObject({ kind: 'check', collected: [[{ code: 'SIX' }]] })
  })

  test('waits until it is the turn of its caller, also when another one has filled the queue', async () => {
    open({ queue: 4 })
    await six()
    const ended: string[] = []
    const run = (caller: string) =>
      pool.run(jobOf('no_six', 'six'), undefined, caller).then(
        () => ended.push(caller),
        ({ message }) => ended.push(`${caller}: ${message}`),
      )
    await Promise.all(['a', 'a', 'a', 'a', 'a', 'b', 'c'].map(run))
    const dropped = 'a: 4 large answers are already waiting to be checked'
    expect(ended).toEqual([dropped, dropped, 'a', 'a', 'b', 'c', 'a'])
    expect([counts.queued, counts.ended('full'), counts.ended('done')]).toEqual([0, 2, 6])
  })

  test.each([
    ['that never ends', 'looping', 'LOOP', 'timeout', 'judging took longer than 1500 ms', 'deadline'],
    ['that takes all memory', 'hoarding', 'HOARD', 'crash', expect.stringContaining('memory'), 'crash'],
    ['that ends its process', 'leaving', 'EXIT', 'crash', 'the judging thread ended', 'crash'],
    ['that throws past everybody', 'leaving', 'THROW', 'crash', 'past everybody', 'crash'],
  ] as const)('%s has no verdict, and the next one gets a new thread', async (_name, validator, text, reason, message, end) => {
    // The others must not run into it on a busy machine.
    open({ deadlineMs: validator === 'looping' ? 1500 : 60_000 })
    const bad = pool.run(jobOf(validator, text), undefined)
    const waiting = pool.run(jobOf('step_marker', '<!-- STEP: done -->'), undefined)
    await expect(bad).rejects.toMatchObject({ reason, message })
    expect(counts.ended(end)).toBe(1)
    await expect(waiting).resolves.toMatchObject({ kind: 'check' })
    expect(counts.threads).toBe(1)
  })

  test.each([
    ['a validator that is not in its module', 'absent', 'no validator absent'],
    ['what cannot be copied', 'uncopied', undefined],
  ])('%s is a crash of that check, and the thread lives on', async (_name, validator, message) => {
    open()
    const result = pool.run(jobOf(validator, 'FUNCTION'), undefined)
    if (message === undefined) expect(await result).toMatchObject({ collected: [{ cause: 'crash', validator: 'uncopied' }] })
    else await expect(result).rejects.toMatchObject({ reason: 'crash', message: expect.stringContaining(message) })
    expect(await six()).toEqual(found)
    expect(counts.threads).toBe(1)
  })

  test('whose context cannot be copied is a crash, and the thread lives on', async () => {
    open()
    await expect(pool.run({ ...jobOf('no_six', 'six'), context: { f: () => {} } }, undefined)).rejects.toMatchObject({ reason: 'crash' })
    expect(await six()).toEqual(found)
  })
})

describe('many jobs', () => {
  test('wait for a thread, and are refused when too many do', async () => {
    open({ queue: 2 })
    const jobs = Array.from({ length: 5 }, six)
    const ends = await Promise.allSettled(jobs)
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'rejected'])
    expect(ends[4]).toMatchObject({ reason: { reason: 'unavailable', message: '2 large answers are already waiting to be checked' } })
    expect([counts.threads, counts.ended('full'), counts.ended('done')]).toEqual([1, 2, 3])
  })

  test('use no more threads than there may be', async () => {
    open({ threads: 2 })
    const jobs = Array.from({ length: 6 }, six)
    expect([counts.threads, counts.queued]).toEqual([2, 4])
    await Promise.all(jobs)
    expect([counts.threads, counts.queued]).toEqual([2, 0])
  })
})

describe('a thread that cannot be started', () => {
  /** Settings whose limit cannot be read for some threads by number, in place of a system that has no more of them. */
  function failing(...numbers: number[]): PoolSettings {
    counts = new JudgingCounts()
    let started = 0
    return {
      ...{ clock: systemClock, counts, threads: 1, deadlineMs: 20_000, queue: 10 },
      get memoryMb() {
        if (numbers.includes(++started)) throw new Error('no more threads')
        return 64
      },
    }
  }
  const missing = { reason: 'unavailable', message: 'no judging thread could be started: no more threads' }

  test('leaves exactly its job without a result, and the next one tries again', async () => {
    pool = new JudgingPool(failing(1, 2))
    await expect(six()).rejects.toMatchObject(missing)
    await expect(six()).rejects.toMatchObject(missing)
    expect(await six()).toEqual(found)
    expect([counts.ended('crash'), counts.ended('done'), counts.queued, counts.threads]).toEqual([2, 1, 0, 1])
  })

  test('is nothing to those who wait when a thread has ended', async () => {
    pool = new JudgingPool(failing(2))
    const jobs = [pool.run(jobOf('leaving', 'EXIT'), undefined), six(), six()]
    const ends = await Promise.allSettled(jobs)
    expect(ends).toMatchObject([{ reason: { reason: 'crash' } }, { reason: missing }, { value: found }])
  })
})

describe('a client that leaves', () => {
  test('takes its job out of the queue', async () => {
    open()
    const stop = new AbortController()
    const first = six()
    const second = pool.run(jobOf('no_six', 'six'), stop.signal)
    stop.abort()
    await expect(second).rejects.toMatchObject({ reason: 'aborted' })
    expect(counts.queued).toBe(0)
    expect(await first).toEqual(found)
    await expect(pool.run(jobOf('no_six', 'six'), stop.signal)).rejects.toMatchObject({ reason: 'aborted' })
    expect(counts.ended('aborted')).toBe(2)
  })

  test('ends a job that does not end by itself', async () => {
    open()
    await six()
    const stop = new AbortController()
    const job = pool.run(jobOf('looping', 'LOOP'), stop.signal)
    stop.abort()
    await expect(job).rejects.toMatchObject({ reason: 'aborted' })
    expect(await six()).toEqual(found)
  })
})

describe('a pool that is not needed any more', () => {
  test('ends its threads when they have nothing to do, and still serves those who began with it', async () => {
    open()
    const job = six()
    pool.retire()
    expect(await job).toEqual(found)
    await expect.poll(() => counts.threads, { timeout: 20_000 }).toBe(0)
    expect(await six()).toEqual(found)
    await expect.poll(() => counts.threads, { timeout: 20_000 }).toBe(0)
  })

  test('ends everything when it is closed', async () => {
    open()
    const jobs = [pool.run(jobOf('looping', 'LOOP'), undefined), six()]
    const ends = Promise.allSettled(jobs)
    await pool.close()
    expect((await ends).map((end) => end.status)).toEqual(['rejected', 'rejected'])
    expect(counts.threads).toBe(0)
    await expect(six()).rejects.toMatchObject({ reason: 'unavailable' })
  })
})
