import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { contract } from '../../catalogue.ts'
import { maxWords } from '../../validators/max-words.ts'
import { enforceDirectly } from '../enforce.ts'
import type { ModelEvent, Runner } from '../runner.ts'
import { attempting, Deferred, type MaybePromise, whenReady } from './deferred.ts'

/** What a reader does with what it gets. */
const ways = {
  give: (value: unknown) => [value],
  nothing: () => undefined,
  throw: (value: unknown) => {
    throw [value]
  },
  promise: (value: unknown) => Promise.resolve([value]),
  failure: (value: unknown) => Promise.reject([value]),
  deferred: (value: unknown) => settled('resolve', [value]),
  refusal: (value: unknown) => settled('reject', [value]),
  later: (value: unknown) => {
    const deferred = new Deferred<unknown>()
    setImmediate(() => deferred.resolve([value]))
    return deferred
  },
} as const
const way = fc.option(fc.constantFrom(...(Object.keys(ways) as (keyof typeof ways)[])), { nil: undefined })

function settled(how: 'resolve' | 'reject', value: unknown): Deferred<unknown> {
  const deferred = new Deferred<unknown>()
  deferred[how](value)
  return deferred
}

async function readBy(first: PromiseLike<unknown>, steps: readonly (readonly (keyof typeof ways | undefined)[])[]): Promise<unknown> {
  let last = first
  for (const [next, fail] of steps) last = last.then(next && ways[next], fail && ways[fail])
  return last.then(
    (value) => ({ value }),
    (reason) => ({ reason }),
  )
}

describe('a deferred value', () => {
  it('gives what a promise gives, whatever its readers do', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(way, way), { maxLength: 6 }), fc.constantFrom('resolve', 'reject'), async (steps, how) => {
        const expected = await readBy(how === 'resolve' ? Promise.resolve(0) : Promise.reject(0), steps)
        expect(await readBy(settled(how, 0), steps)).toEqual(expected)
        const open = new Deferred<unknown>()
        const reading = readBy(open, steps)
        open[how](0)
        open.resolve('too late')
        open.reject('too late')
        expect(await reading).toEqual(expected)
      }),
      { numRuns: 100 },
    ))

  it('calls its reader before `resolve` returns', () => {
    const deferred = new Deferred<number>()
    const told: number[] = []
    void whenReady(deferred, (value) => told.push(value))
    deferred.resolve(1)
    expect(told).toEqual([1])
  })

  it('is read once', () => {
    const deferred = settled('resolve', 1)
    void whenReady(deferred, () => {})
    expect(() => deferred.then()).toThrow('a deferred value is read once')
  })

  it('gives a failure that nobody reads to the process', async () => {
    const others = process.listeners('unhandledRejection')
    onTestFinished(() => {
      process.removeAllListeners('unhandledRejection')
      for (const listener of others) process.on('unhandledRejection', listener)
    })
    process.removeAllListeners('unhandledRejection')
    const told = new Promise((resolve) => void process.once('unhandledRejection', resolve))
    settled('reject', 'unread')
    expect(await told).toBe('unread')
  })
})

describe('attempting', () => {
  it.each<[string, () => MaybePromise<number>]>([
    [
      'throws',
      () => {
        throw 1
      },
    ],
    ['rejects', () => Promise.reject(1)],
  ])('gives what it starts to `fail` when that %s', async (_, start) => {
    const failed = attempting(
      start,
      () => 'next',
      (reason) => `failed with ${reason}`,
    )
    expect(await failed).toBe('failed with 1')
  })
})

describe('a run', () => {
  const saying = (...texts: string[]): Runner => {
    const whole = (): readonly ModelEvent[] => [{ type: 'text', text: texts.shift() ?? '' }, { type: 'end' }]
    const events = { whole, async *[Symbol.asyncIterator]() {} }
    return { run: () => events, continue: () => events }
  }
  const brief = contract({ checks: [maxWords({ limit: 2 })] })

  it('is over at once when its runner and its checks are', () => {
    let outcome: unknown
    void whenReady(enforceDirectly({ contract: brief, runner: saying('two words'), prompt: '' }), (given) => {
      outcome = given
    })
    expect(outcome).toMatchObject({ status: 'valid', text: 'two words', attempts: 1 })
  })

  it('asks again in a turn of its own', async () => {
    let isOver = false
    const asked = enforceDirectly({ contract: brief, runner: saying('these are three', 'two words'), prompt: '' })
    const outcome = whenReady(asked, (given) => {
      isOver = true
      return given
    })
    expect(isOver).toBe(false)
    expect(await outcome).toMatchObject({ status: 'valid', text: 'two words', attempts: 2 })
  })
})
