import { expect, it } from 'vitest'
import { inOrder } from './in-order.ts'

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

async function* count(to: number): AsyncGenerator<number> {
  for (let number = 0; number < to; number++) yield number
}

/** Delivers all results one after the other. */
async function deliverAll<Item, Result>(
  items: AsyncIterable<Item>,
  work: (item: Item) => Promise<Result>,
  deliver: (result: Result) => Promise<void>,
  limits: Parameters<typeof inOrder<Item, Result>>[2],
): Promise<void> {
  for await (const result of inOrder(items, work, limits)) await deliver(result)
}

const bounds = { items: 4, weight: 100, weigh: () => 1 }

it('delivers in order whatever takes longer, and never has too much under way', async () => {
  const delivered: number[] = []
  let underWay = 0
  let most = 0
  await deliverAll(
    count(50),
    async (number) => {
      most = Math.max(most, ++underWay)
      await pause((number * 7) % 5)
      underWay--
      return number
    },
    async (number) => void delivered.push(number),
    bounds,
  )
  expect(delivered).toEqual(Array.from({ length: 50 }, (_, index) => index))
  expect(most).toBe(4)
})

it('counts weight, but lets one heavy item through', async () => {
  let underWay = 0
  let most = 0
  const work = async (number: number): Promise<number> => {
    most = Math.max(most, ++underWay)
    await pause(1)
    underWay--
    return number
  }
  await deliverAll(count(5), work, async () => {}, { items: 4, weight: 10, weigh: () => 11 })
  expect(most).toBe(1)
})

it('delivers what is done while it waits for more', async () => {
  const delivered: string[] = []
  async function* conversation(): AsyncGenerator<string> {
    yield 'first'
    while (delivered.length === 0) await pause(1)
    yield 'second'
  }
  await deliverAll(
    conversation(),
    async (line) => line,
    async (line) => void delivered.push(line),
    { ...bounds, weigh: () => 1 },
  )
  expect(delivered).toEqual(['first', 'second'])
})

it('waits for a slow reader', async () => {
  let made = 0
  let taken = 0
  let most = 0
  const deliver = async (): Promise<void> => {
    await pause(1)
    most = Math.max(most, made - ++taken)
  }
  await deliverAll(count(30), async () => ++made, deliver, bounds)
  expect(most).toBeLessThanOrEqual(4)
})

it('ends with the error of a reader at once, though the source still waits', async () => {
  async function* endless(): AsyncGenerator<number> {
    yield 1
    await new Promise(() => {})
  }
  const broken = deliverAll(
    endless(),
    async (number) => number,
    () => Promise.reject(new Error('gone')),
    bounds,
  )
  await expect(broken).rejects.toThrow('gone')
})

it('delivers what came before a source broke', async () => {
  const delivered: number[] = []
  async function* breaking(): AsyncGenerator<number> {
    yield 1
    yield 2
    throw new Error('torn')
  }
  const work = async (number: number): Promise<number> => {
    await pause(2)
    return number
  }
  await expect(deliverAll(breaking(), work, async (number) => void delivered.push(number), bounds)).rejects.toThrow('torn')
  expect(delivered).toEqual([1, 2])
})

it('leaves no rejection unheard when work fails that nobody waits for any more', async () => {
  const unheard: unknown[] = []
  const listen = (reason: unknown): void => void unheard.push(reason)
  process.on('unhandledRejection', listen)
  try {
    const stopped = deliverAll(
      count(4),
      async (number) => {
        await pause(number * 3)
        throw new Error(`stopped ${number}`)
      },
      async () => {},
      bounds,
    )
    await expect(stopped).rejects.toThrow('stopped 0')
    await pause(20)
    expect(unheard).toEqual([])
  } finally {
    process.off('unhandledRejection', listen)
  }
})
