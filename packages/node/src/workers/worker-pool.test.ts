import { describe, expect, test } from 'vitest'
import { openPlaces, type PoolWorker, WorkerPool, type WorkerPoolSettings } from './worker-pool.ts'

/** A worker that ends when a test says so. */
class TestWorker implements PoolWorker {
  readonly ended: Promise<void>
  readonly loaded = new Set<string>()
  isOver = false
  failure: Error | undefined
  gone = (): void => {}

  constructor() {
    this.ended = new Promise((resolve) => {
      this.gone = resolve
    })
  }

  async end(failure: Error): Promise<void> {
    this.isOver = true
    this.failure ??= failure
    this.gone()
  }
}

const started: TestWorker[] = []
function open(settings: Partial<WorkerPoolSettings<TestWorker>> = {}): WorkerPool<TestWorker> {
  started.length = 0
  const start = (): TestWorker => {
    const worker = new TestWorker()
    started.push(worker)
    return worker
  }
  return new WorkerPool({ workers: 1, queue: 4, start, full: () => new Error('full'), closed: () => new Error('closed'), ...settings })
}
const told = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'entered',
    (thrown: unknown) => (thrown instanceof Error ? thrown.message : thrown),
  )
const soon = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5))

test('callers take turns, and in a full queue the newest of the caller with the most gives way', async () => {
  const pool = openPlaces(1, 4, () => new Error('busy'))
  const seen: string[] = []
  const enter = async (name: string): Promise<void> => {
    try {
      const { leave } = await pool.enter({ caller: name[0] })
      seen.push(name)
      await Promise.resolve()
      leave()
    } catch {
      seen.push(`${name} refused`)
    }
  }
  const first = await pool.enter({ caller: 'a' })
  const all = ['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'b2', 'b3'].map(enter)
  await new Promise((resolve) => setTimeout(resolve, 10))
  expect(seen.toSorted()).toEqual(['a3 refused', 'a4 refused', 'a5 refused', 'b3 refused'])
  seen.length = 0
  first.leave()
  await Promise.all(all)
  expect(seen).toEqual(['a1', 'b1', 'a2', 'b2'])
})

describe('workers', () => {
  test('are started on demand, used again, and never more than allowed', async () => {
    const pool = open({ workers: 2 })
    const first = await pool.enter()
    first.leave()
    first.leave()
    const [again, second] = [await pool.enter(), await pool.enter()]
    const third = told(pool.enter())
    expect([started.length, again.worker === first.worker, second.worker === first.worker]).toEqual([2, true, false])
    second.leave()
    expect([await third, started.length]).toEqual(['entered', 2])
  })

  test('one that is over is replaced when it has ended', async () => {
    const pool = open()
    const { worker, leave } = await pool.enter()
    const next = told(pool.enter())
    worker.isOver = true
    leave()
    expect(started.length).toBe(1)
    worker.gone()
    expect([await next, started.length]).toEqual(['entered', 2])
  })

  test('one that ends while it is idle is not given to anybody', async () => {
    const pool = open()
    const { worker, leave } = await pool.enter()
    leave()
    worker.isOver = true
    const next = pool.enter()
    expect(started.length).toBe(1)
    worker.gone()
    expect((await next).worker).toBe(started[1])
  })

  test('one that cannot be started is the failure of one call, and the others go on', async () => {
    let tries = 0
    const start = (): TestWorker => {
      if (++tries < 3) throw new Error(`try ${tries}`)
      return new TestWorker()
    }
    const pool = open({ start, notStarted: (thrown) => new Error(`not started: ${(thrown as Error).message}`) })
    expect([await told(pool.enter()), await told(pool.enter()), await told(pool.enter())]).toEqual([
      'not started: try 1',
      'not started: try 2',
      'entered',
    ])
  })
})

describe('kinds', () => {
  const kinds = {
    has: (worker: TestWorker, kind: string) => worker.loaded.has(kind),
    load: async (worker: TestWorker, kind: string) => {
      await soon()
      if (kind === 'broken') throw new Error('it does not load')
      worker.loaded.add(kind)
    },
  }

  test('a kind is loaded once, and nobody waits for what others load', async () => {
    const pool = open({ workers: 2, kinds })
    const order: string[] = []
    const use = async (kind: string): Promise<TestWorker> => {
      const { worker, leave } = await pool.enter({ kind })
      order.push(kind)
      leave()
      return worker
    }
    const [one, same, other] = await Promise.all([use('a'), use('a'), use('b')])
    expect([started.length, one === same, one === other, order.toSorted()]).toEqual([2, true, false, ['a', 'a', 'b']])
    expect((await pool.enter({ kind: 'b' })).worker).toBe(other)
  })

  test('one that does not load is the failure of all who wait for it, and of nobody else', async () => {
    const pool = open({ kinds })
    const all = ['broken', 'fine', 'broken'].map((kind) => told(pool.enter({ kind })))
    expect(await Promise.all(all)).toEqual(['it does not load', 'entered', 'it does not load'])
  })
})

describe('the end', () => {
  test('a caller that leaves makes room, and is not given a worker', async () => {
    let waiting = 0
    const pool = open({
      queue: 1,
      onWaiting: (change) => {
        waiting += change
      },
    })
    const first = await pool.enter()
    const caller = new AbortController()
    const left = told(pool.enter({ stop: caller.signal }))
    expect([await told(pool.enter()), waiting]).toEqual(['full', 1])
    caller.abort(new Error('left'))
    const next = told(pool.enter())
    expect([await left, await told(pool.enter({ stop: caller.signal })), waiting]).toEqual(['left', 'left', 1])
    first.leave()
    expect([await next, waiting]).toEqual(['entered', 0])
  })

  test('a caller that leaves in the moment in which it is given a worker gives it back', async () => {
    const pool = open()
    const first = await pool.enter()
    const caller = new AbortController()
    const given = told(pool.enter({ stop: caller.signal }))
    first.leave()
    caller.abort(new Error('left'))
    expect([await given, await told(pool.enter())]).toEqual(['left', 'entered'])
  })

  test('a retired pool ends workers that have nothing to do, and serves those who wait', async () => {
    const pool = open()
    const first = await pool.enter()
    const next = pool.enter()
    pool.retire()
    first.leave()
    const { worker, leave } = await next
    expect([worker === first.worker, worker.isOver]).toEqual([true, false])
    leave()
    expect(worker.failure?.message).toBe('closed')
  })

  test('a closed pool ends all workers, and refuses who waits and who comes', async () => {
    const pool = open()
    const { worker, leave } = await pool.enter()
    const waiting = told(pool.enter())
    await pool.close()
    leave()
    expect([worker.failure?.message, await waiting, await told(pool.enter()), pool.workers.size]).toEqual(['closed', 'closed', 'closed', 0])
  })
})
