import { expect, test } from 'vitest'
import { openPlaces } from './worker-pool.ts'

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
