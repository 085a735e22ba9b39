import { manualClock } from '@stickler/core/testing'
import type { MetricsSnapshot } from '@stickler/gateway/internal'
import { describe, expect, it } from 'vitest'
import { MetricsBroker } from './metrics-broker.ts'
import { type SharedMetrics, shareMetrics } from './share-metrics.ts'
import type { Channel, Worker } from './workers.ts'

/** A worker in this process: what one side sends, the other one hears later, as a copy. */
class NearWorker implements Worker {
  readonly primary: Channel
  isMute = false
  exit: () => void = () => {}
  #atPrimary: (message: unknown) => void = () => {}
  #atWorker: (message: unknown) => void = () => {}

  constructor() {
    this.primary = {
      send: (message) => queueMicrotask(() => this.#atPrimary(JSON.parse(JSON.stringify(message)))),
      onMessage: (listener) => {
        this.#atWorker = listener
      },
    }
  }
  send(message: unknown): void {
    if (!this.isMute) queueMicrotask(() => this.#atWorker(JSON.parse(JSON.stringify(message))))
  }
  onMessage(listener: (message: unknown) => void): void {
    this.#atPrimary = listener
  }
  onExit(listener: (code: number | null) => void): void {
    this.exit = () => listener(0)
  }
  onListening(): void {}
  signal(): void {}
}

const snapshot = (name: string): MetricsSnapshot => [{ name, values: [] } as unknown as MetricsSnapshot[number]]

function start(count: number) {
  const clock = manualClock()
  const broker = new MetricsBroker(clock)
  const workers = Array.from({ length: count }, () => broker.join(new NearWorker()) as NearWorker)
  const shared = workers.map(({ primary }) => shareMetrics(primary, clock))
  for (const [index, one] of shared.entries()) one.tell(async () => snapshot(`w${index}`))
  const namesFrom = async (one: SharedMetrics | undefined) => (await one?.others())?.map(([metric]) => metric?.name)
  return { clock, workers, shared, namesFrom }
}

describe('metrics of workers', () => {
  it('are those of all others, for each who asks, also at the same time', async () => {
    const { shared, namesFrom, clock } = start(3)
    expect(await Promise.all([...shared, shared[0]].map(namesFrom))).toEqual([
      ['w1', 'w2'],
      ['w0', 'w2'],
      ['w0', 'w1'],
      ['w1', 'w2'],
    ])
    expect(clock.pending).toBe(0)
  })

  it('are none where there is no other', async () => {
    const { shared, namesFrom } = start(1)
    expect(await namesFrom(shared[0])).toEqual([])
  })

  it.each<[string, (parts: ReturnType<typeof start>) => void]>([
    ['does not answer', ({ workers }) => Object.assign(workers[1] ?? {}, { isMute: true })],
    ['cannot tell', ({ shared }) => shared[1]?.tell(() => Promise.reject(new Error('no')))],
    ['never ends telling', ({ shared }) => shared[1]?.tell(() => new Promise(() => {}))],
  ])('leave out, after a second, a worker that %s', async (_, hurt) => {
    const parts = start(3)
    hurt(parts)
    let names: unknown
    const asked = parts.namesFrom(parts.shared[0]).then((found) => {
      names = found
    })
    await parts.clock.advanceAsync(999)
    expect(names).toBeUndefined()
    await parts.clock.advanceAsync(1)
    await asked
    expect([names, parts.clock.pending]).toEqual([['w2'], 0])
  })

  it('leave out a worker that has ended, at once', async () => {
    const { workers, shared, namesFrom } = start(3)
    workers[1]?.exit()
    expect(await namesFrom(shared[0])).toEqual(['w2'])
  })

  it('are none when nobody answers at all', async () => {
    const clock = manualClock()
    const heard: unknown[] = []
    let hear: (message: unknown) => void = () => {}
    const shared = shareMetrics(
      {
        send: (message) => void heard.push(message),
        onMessage: (listener) => {
          hear = listener
        },
      },
      clock,
    )
    const others = shared.others()
    for (const odd of [null, 'x', 7, {}, { metrics: 'give' }, { metrics: 'give', id: 99, snapshots: [] }, { metrics: 'ask', id: 1 }])
      hear(odd)
    await clock.advanceAsync(1500)
    expect([await others, heard]).toEqual([[], [{ metrics: 'want', id: 1 }]])
  })
})
