import fc from 'fast-check'
import { expect, test } from 'vitest'
import { processorMs } from '../../../../tools/tests/processor-ms.ts'
import { FairQueue, makeRoom, type Queued } from './fair-queue.ts'

/** The slow and obvious version: one list of items, and the callers in the order of their turns. */
class SlowQueue {
  items: { readonly caller: string; readonly item: number }[] = []
  turns: string[] = []

  add(caller: string, item: number): void {
    this.items.push({ caller, item })
    if (!this.turns.includes(caller)) this.turns.push(caller)
  }

  delete(item: number): boolean {
    const found = this.items.find((one) => one.item === item)
    this.items = this.items.filter((one) => one !== found)
    this.turns = this.turns.filter((caller) => this.of(caller).length > 0)
    return found !== undefined
  }

  take(item: number): boolean {
    const caller = this.items.find((one) => one.item === item)?.caller
    const was = this.delete(item)
    if (caller !== undefined && this.turns.includes(caller)) this.turns = [...this.turns.filter((one) => one !== caller), caller]
    return was
  }

  shift(): number | undefined {
    const [first] = this.turns.flatMap((caller) => this.of(caller))
    if (first !== undefined) this.take(first)
    return first
  }

  of(caller: string): number[] {
    return this.items.filter((one) => one.caller === caller).map(({ item }) => item)
  }

  get most(): number {
    return Math.max(0, ...this.turns.map((caller) => this.of(caller).length))
  }

  /** The order in which items are served, of which those that are removed meanwhile are left out. */
  *walk(): Generator<number> {
    const lists = this.turns.map((caller) => this.of(caller))
    const isLeft = (item: number): boolean => this.items.some((one) => one.item === item)
    while (lists.some((list) => list.length > 0))
      for (const list of lists) {
        while (list[0] !== undefined && !isLeft(list[0])) list.shift()
        const first = list.shift()
        if (first !== undefined) yield first
      }
  }

  order(): number[] {
    const lists = this.turns.map((caller) => this.of(caller))
    return Array.from({ length: this.most }, (_, depth) => lists.flatMap((list) => list.slice(depth, depth + 1))).flat()
  }
}

const steps = fc.array(
  fc.record({
    act: fc.constantFrom('add', 'add', 'add', 'delete', 'take', 'shift'),
    caller: fc.constantFrom('a', 'b', 'c', 'd'),
    at: fc.nat(),
  }),
  { maxLength: 60 },
)

test('does what a list of items and a list of turns do', () => {
  fc.assert(
    fc.property(steps, (acts) => {
      const queue = new FairQueue<number>()
      const slow = new SlowQueue()
      const entries: Queued<number>[] = []
      for (const { act, caller, at } of acts) {
        const entry = entries[at % Math.max(1, entries.length)]
        if (act === 'add') {
          entries.push(queue.add(caller, entries.length))
          slow.add(caller, entries.length - 1)
        } else if (act === 'shift') expect(queue.shift()).toBe(slow.shift())
        else if (entry !== undefined) expect(queue[act as 'take'](entry)).toBe(slow[act as 'take'](entry.item))
        expect([...queue].map(({ item }) => item)).toEqual(slow.order())
        expect([queue.size, queue.callers, queue.sizeOf(caller)]).toEqual([slow.items.length, slow.turns.length, slow.of(caller).length])
        const { oldestOfMost: oldest, newestOfMost: newest } = queue
        expect(oldest?.caller).toBe(newest?.caller)
        if (oldest === undefined || newest === undefined) expect(slow.items).toEqual([])
        else {
          const mine = slow.of(oldest.caller)
          expect([mine.length, mine[0], mine.at(-1)]).toEqual([slow.most, oldest.item, newest.item])
        }
      }
    }),
  )
})

test('a walk goes on after what is removed from it, in the order of the turns', () => {
  const removals = fc.array(fc.array(fc.record({ act: fc.constantFrom('delete', 'take'), at: fc.nat() }), { maxLength: 3 }), {
    maxLength: 20,
  })
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 20 }), removals, (callers, acts) => {
      const queue = new FairQueue<number>()
      const slow = new SlowQueue()
      const entries = callers.map((caller, item) => queue.add(caller, item))
      callers.forEach((caller, item) => {
        slow.add(caller, item)
      })
      const expected = slow.walk()
      let step = 0
      for (const { item } of queue) {
        expect(item).toBe(expected.next().value)
        for (const { act, at } of acts[step++] ?? []) {
          const entry = entries[at % entries.length]
          if (entry !== undefined) expect(queue[act as 'take'](entry)).toBe(slow[act as 'take'](entry.item))
        }
      }
      expect(expected.next().done).toBe(true)
    }),
  )
})

test('items that are removed while they are walked are left out, and taking each of them serves all', () => {
  const queue = new FairQueue<number>()
  const entries = ['a', 'a', 'a', 'b', 'c', 'c'].map((caller, index) => queue.add(caller, index))
  const seen: number[] = []
  for (const entry of queue) {
    seen.push(entry.item)
    queue.take(entry)
    const third = entries[5]
    if (seen.length === 1 && third !== undefined) queue.delete(third)
  }
  expect(seen.sort()).toEqual([0, 1, 2, 3, 4])
  expect(queue.size).toBe(0)
})

test('a full queue makes room for a caller with less, never beyond an equal share, and one caller alone may fill it', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 80 }), fc.integer({ min: 0, max: 12 }), (callers, limit) => {
      const queue = new FairQueue<string>()
      const dropped: string[] = []
      for (const caller of callers) {
        const before = queue.sizeOf(caller)
        const isFull = queue.size >= limit
        if (makeRoom(queue, limit, caller, (item) => dropped.push(item))) queue.add(caller, caller)
        else {
          expect(isFull).toBe(true)
          // Nobody has two more than who is refused.
          for (const other of ['a', 'b', 'c']) expect(queue.sizeOf(other)).toBeLessThanOrEqual(before + 1)
        }
        expect(queue.size).toBeLessThanOrEqual(limit)
      }
      for (const caller of ['a', 'b', 'c']) {
        const sent = callers.filter((one) => one === caller).length
        const share = Math.floor(limit / 3)
        expect(queue.sizeOf(caller)).toBeGreaterThanOrEqual(Math.min(sent, share))
      }
      if (new Set(callers).size === 1) expect([queue.size, dropped]).toEqual([Math.min(callers.length, limit), []])
    }),
  )
})

test('costs the same whatever it holds', async () => {
  const cost = (callers: number, items: number): Promise<number> => {
    const queue = new FairQueue<number>()
    for (let index = 0; index < items; index++) queue.add(String(index % callers), index)
    return processorMs(() => {
      for (let index = 0; index < 50_000; index++) {
        queue.add('new', index)
        queue.shift()
        const last = queue.newestOfMost
        if (last !== undefined && queue.delete(last)) queue.add(last.caller, index)
      }
    })
  }
  await cost(2, 10)
  const small = Math.min(await cost(2, 10), await cost(2, 10))
  const large = Math.min(await cost(5000, 50_000), await cost(5000, 50_000), await cost(2, 50_000))
  expect(large).toBeLessThan(small * 20 + 100)
})
