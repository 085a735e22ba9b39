import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FairPlaces } from './fair-places.ts'

test('one caller alone may have all places, another one gets some of the spare ones, and there are never more', () => {
  const acts = fc.array(fc.record({ caller: fc.constantFrom('a', 'b', 'c'), leaves: fc.boolean() }), { maxLength: 200 })
  fc.assert(
    fc.property(acts, fc.integer({ min: 1, max: 24 }), (steps, limit) => {
      const places = new FairPlaces()
      const held = new Map<string, number>()
      for (const { caller, leaves } of steps) {
        const mine = held.get(caller) ?? 0
        if (leaves && mine > 0) {
          places.leave(caller)
          held.set(caller, mine - 1)
        } else if (places.hasRoom(caller, limit)) {
          places.enter(caller)
          held.set(caller, mine + 1)
        } else {
          const total = [...held.values()].reduce((sum, one) => sum + one, 0)
          expect(total).toBeGreaterThanOrEqual(limit)
          // Who has nothing is refused only when the spare places are taken, too.
          if (mine === 0) expect(total).toBe(limit + Math.ceil(limit / 8))
        }
        expect([places.size, places.heldBy(caller)]).toEqual([[...held.values()].reduce((sum, one) => sum + one, 0), held.get(caller) ?? 0])
        expect(places.size).toBeLessThanOrEqual(limit + Math.ceil(limit / 8))
      }
    }),
  )
})
