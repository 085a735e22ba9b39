import { expect, it } from 'vitest'
import { createClient } from '../api/client.ts'
import type { RunRow } from '../api/types.ts'
import { seedRuns } from '../testing/seed.ts'
import { createRunList } from './run-list.ts'

const count = 6000

/** A gateway that lists the runs it has sent, newest first, as the real one does: by time, then by id. */
function gatewayOf(old: readonly RunRow[], pageSent: () => Promise<void> | undefined = () => undefined) {
  const stored = [...old]
  let send: (items: readonly RunRow[]) => void = () => undefined
  const encoder = new TextEncoder()
  const page = (query: URLSearchParams): Response => {
    const until = Number(query.get('until') ?? Number.POSITIVE_INFINITY)
    const sorted = stored.filter(({ at }) => at < until).sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1))
    const start = query.has('cursor') ? sorted.findIndex(({ id }) => id === query.get('cursor')) + 1 : 0
    const items = sorted.slice(start, start + Number(query.get('limit')))
    return Response.json({ items, ...(start + items.length < sorted.length ? { next: items.at(-1)?.id } : {}) })
  }
  const live = (): Response =>
    new Response(
      new ReadableStream<Uint8Array>({
        start(controller) {
          controller.enqueue(encoder.encode('id: 0\nevent: ready\ndata: {}\n\n'))
          send = (items) => controller.enqueue(encoder.encode(`id: 1\nevent: runs\ndata: ${JSON.stringify({ items })}\n\n`))
        },
      }),
    )
  const client = createClient({
    sessionStorage: { getItem: () => null, setItem: () => undefined, removeItem: () => undefined },
    async fetch(address) {
      const { pathname, searchParams } = new URL(address, 'http://gateway.example')
      if (pathname === '/api/v1/live') return live()
      const sent = page(searchParams)
      await pageSent()
      return sent
    },
  })
  return {
    client,
    add(runs: readonly RunRow[]) {
      stored.push(...runs)
      send(runs)
    },
  }
}

const [template] = seedRuns(1)
if (template === undefined) throw new Error('there is a run')
/** Some end before others that began earlier, and several begin at once. */
const rows = Array.from(
  { length: count + 150 },
  (_, place): RunRow => ({ ...template, id: `r${place}`, at: 1e12 + (place ^ 3) * 2 - (place % 2) }),
)
const old = rows.slice(0, 150)
const fresh = rows.slice(150)

it.each([
  ['at once', false],
  ['after it was held', true],
])('a list that %s gets thousands of live runs keeps the newest, and pages through the others', async (_, isHeld) => {
  const gateway = gatewayOf(old)
  const list = createRunList(gateway.client)
  list.show('')
  await expect.poll(() => list.rows.value.length).toBe(100)
  const stop = list.listen(new URLSearchParams())
  await expect.poll(() => list.live.value).toBe('live')
  await expect.poll(() => list.isLoading.value).toBe(false)
  list.hold(isHeld)
  list.view.chosen = 0
  for (let start = 0; start < count; start += 100) gateway.add(fresh.slice(start, start + 100))
  if (isHeld) {
    await expect.poll(() => list.waiting.value[0]?.id).toBe(fresh.at(-1)?.id)
    expect(list.waiting.value).toHaveLength(5000)
    list.release()
    await expect.poll(() => list.rows.value.length).toBe(100)
  } else {
    await expect.poll(() => list.rows.value[0]?.id).toBe(fresh.at(-1)?.id)
    expect(list.rows.value).toHaveLength(5000)
    expect(list.view.chosen).toBeUndefined()
  }
  expect(list.isEnd.value).toBe(false)
  for (let pages = 0; !list.isEnd.value && pages < 60; pages++) {
    list.more()
    await expect.poll(() => list.isLoading.value, { interval: 1 }).toBe(false)
  }
  expect(list.rows.value).toHaveLength(rows.length)
  expect(new Set(list.rows.value.map(({ id }) => id)).size).toBe(rows.length)
  // What was dropped is new again, and the list still has a limit.
  list.hold(false)
  const late = fresh.slice(0, 10).map((run, place) => ({ ...run, id: `late${place}`, at: 2e12 }))
  gateway.add(late)
  await expect.poll(() => list.rows.value[0]?.id).toBe('late9')
  expect(list.rows.value).toHaveLength(5000)
  expect(list.isEnd.value).toBe(false)
  stop()
})

it('keeps a run that arrives while the first page is on its way', async () => {
  let arrive = (): void => {}
  let onItsWay: Promise<void> | undefined
  const gateway = gatewayOf(old, () => onItsWay)
  const list = createRunList(gateway.client)
  list.show('')
  const stop = list.listen(new URLSearchParams())
  await expect.poll(() => list.live.value).toBe('live')
  await expect.poll(() => list.isLoading.value).toBe(false)
  onItsWay = new Promise((resolve) => {
    arrive = resolve
  })
  list.reload()
  const late = { ...template, id: 'late', at: 2e12 }
  gateway.add([late])
  await expect.poll(() => list.rows.value[0]?.id).toBe('late')
  arrive()
  await expect.poll(() => list.isLoading.value).toBe(false)
  expect(list.rows.value.map(({ id }) => id).slice(0, 2)).toEqual(['late', old.toSorted((a, b) => b.at - a.at)[0]?.id])
  expect(list.rows.value).toHaveLength(101)
  stop()
})
