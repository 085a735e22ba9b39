import { manualClock } from '@stickler/core/testing'
import { describe, expect, it } from 'vitest'
import { supervise } from './supervise.ts'
import type { Worker, WorkerAddress } from './workers.ts'

/** A worker that does what the test says. */
class FakeWorker implements Worker {
  readonly signals: string[] = []
  listen: (address: WorkerAddress) => void = () => {}
  exit: (code: number | null) => void = () => {}

  onListening(listener: (address: WorkerAddress) => void): void {
    this.listen = listener
  }
  onExit(listener: (code: number | null) => void): void {
    this.exit = listener
  }
  send(): void {}
  onMessage(): void {}
  signal(name: string): void {
    this.signals.push(name)
  }
}

function start(count: number) {
  const workers: FakeWorker[] = []
  const notes: string[] = []
  const ready: number[] = []
  const clock = manualClock()
  const controller = new AbortController()
  let reload = (): void => {}
  const ended = supervise({
    count,
    clock,
    fork: () => {
      const worker = new FakeWorker()
      workers.push(worker)
      return worker
    },
    signal: controller.signal,
    graceMs: () => 10_000,
    note: (line) => void notes.push(line),
    async onReady({ port }, forward) {
      ready.push(port)
      reload = forward
    },
  })
  const listenAll = async (): Promise<void> => {
    for (let index = 0; index < count; index++) {
      await clock.advanceAsync(0)
      workers[index]?.listen({ port: 80 })
    }
    await clock.advanceAsync(0)
  }
  return { workers, notes, ready, clock, stop: () => controller.abort('SIGTERM'), ended, listenAll, reload: () => reload() }
}

describe('workers', () => {
  it('start after the first one listens, and are ready when all do', async () => {
    const { workers, ready, clock, listenAll } = start(3)
    expect(workers).toHaveLength(1)
    await clock.advanceAsync(0)
    expect(workers).toHaveLength(1)
    workers[0]?.listen({ port: 80 })
    await clock.advanceAsync(0)
    expect(workers).toHaveLength(3)
    expect(ready).toEqual([])
    await listenAll()
    expect(ready).toEqual([80])
  })
  it('are not started in number when the first one cannot', async () => {
    const { workers, ended } = start(3)
    workers[0]?.exit(2)
    expect(await ended).toBe(2)
    expect(workers).toHaveLength(1)
  })
  it('end together when another one cannot start', async () => {
    const { workers, ended, clock } = start(2)
    workers[0]?.listen({ port: 80 })
    await clock.advanceAsync(0)
    workers[1]?.exit(70)
    await clock.advanceAsync(0)
    expect(workers[0]?.signals).toEqual(['SIGTERM'])
    workers[0]?.exit(0)
    expect(await ended).toBe(70)
  })
  it('are replaced when they end, after longer and longer waits up to a limit', async () => {
    const { workers, notes, clock, listenAll } = start(1)
    await listenAll()
    for (let crash = 0; crash < 9; crash++) {
      workers.at(-1)?.exit(crash === 0 ? null : 1)
      await clock.advanceAsync(30_000)
    }
    expect(workers).toHaveLength(10)
    expect(notes.map((line) => /in ([\d.]+) s$/.exec(line)?.[1])).toEqual(['0.5', '1', '2', '4', '8', '16', '30', '30', '30'])
    expect(notes[0]).toMatch(/^a worker exited by a signal; /)
    expect(notes[1]).toMatch(/^a worker exited with exit code 1; /)
    await clock.advanceAsync(60_000)
    workers.at(-1)?.exit(1)
    expect(notes.at(-1)).toMatch(/in 0\.5 s$/)
  })
  it('are told to reload and to finish, and are replaced no more', async () => {
    const { workers, clock, listenAll, reload, stop, ended, notes } = start(2)
    await listenAll()
    reload()
    stop()
    await clock.advanceAsync(0)
    expect(workers.map(({ signals }) => signals)).toEqual([
      ['SIGHUP', 'SIGTERM'],
      ['SIGHUP', 'SIGTERM'],
    ])
    for (const worker of workers) worker.exit(0)
    expect(await ended).toBe(0)
    expect([workers.length, notes.length, clock.pending]).toEqual([2, 0, 0])
  })
  it('are killed when their grace is over', async () => {
    const { workers, clock, listenAll, stop, ended } = start(1)
    await listenAll()
    stop()
    await clock.advanceAsync(11_999)
    expect(workers[0]?.signals).toEqual(['SIGTERM'])
    await clock.advanceAsync(1)
    expect(workers[0]?.signals).toEqual(['SIGTERM', 'SIGKILL'])
    workers[0]?.exit(null)
    expect(await ended).toBe(0)
  })
  it('wait for no replacement when everything ends', async () => {
    const { workers, clock, listenAll, stop, ended } = start(1)
    await listenAll()
    workers[0]?.exit(1)
    stop()
    await clock.advanceAsync(0)
    expect(await ended).toBe(0)
    expect([workers.length, clock.pending]).toEqual([1, 0])
  })
})
