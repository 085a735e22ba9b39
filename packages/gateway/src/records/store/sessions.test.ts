import { describe, expect, test } from 'vitest'
import { testEngines } from '../../testing/store-engines.ts'
import { storeHarness } from '../../testing/store-harness.ts'

const dayMs = 86_400_000

describe.each(testEngines().map((engine) => [engine.name, engine] as const))('sessions of commands in %s', (_, engine) => {
  const harness = storeHarness(engine)

  test('are given once, also to another gateway and after a restart', async () => {
    const { store } = harness
    await store.sessions.keep('a', 's-1')
    await store.sessions.keep('a', 's-2')
    await store.sessions.keep('b', 's-3')
    await harness.reopen({})
    const other = await harness.open()
    const both = await Promise.all([harness.store.sessions.take('a'), other.sessions.take('a')])
    expect(both.toSorted()).toEqual(['s-2', undefined])
    expect(await other.sessions.take('b')).toBe('s-3')
    expect(await other.sessions.take("' or 1=1 --")).toBeUndefined()
    await other.close()
  })

  test('go when they are old', async () => {
    for (const key of ['old', 'new']) {
      await harness.store.sessions.keep(key, key)
      harness.now += 20 * dayMs
    }
    await harness.store.purge()
    expect([await harness.store.sessions.take('old'), await harness.store.sessions.take('new')]).toEqual([undefined, 'new'])
  })

  test('go when there are too many, the oldest first', async () => {
    await harness.reopen({ sessionEntries: 3 })
    for (const key of ['a', 'b', 'c', 'd', 'e']) {
      harness.now++
      await harness.store.sessions.keep(key, key)
    }
    const left = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((key) => harness.store.sessions.take(key)))
    expect(left).toEqual([undefined, undefined, 'c', 'd', 'e'])
  })
})
