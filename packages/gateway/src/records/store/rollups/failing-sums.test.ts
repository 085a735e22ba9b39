import { expect, onTestFinished, test } from 'vitest'
import type { Engine } from '../engine/engine.ts'
import { AlertSwitch, type StoreAlert } from '../store-alert.ts'
import { Rollups } from './rollups.ts'

test('sums that fail are reported once, without what the database said, and again when they work', async () => {
  const alerts: StoreAlert[] = []
  let isFailing = true
  const fold = async () => {
    if (isFailing) throw Object.assign(new Error('secret of postgres://user:password@host'), { code: 'SQLITE_CORRUPT' })
    return { more: false }
  }
  const engine = { name: 'sqlite', fold } as unknown as Engine
  const rollups = new Rollups(engine, Date.now, new AlertSwitch('sums', (alert) => alerts.push(alert)))
  onTestFinished(() => rollups.close())
  expect([await rollups.catchUp(1000), await rollups.catchUp(1000)]).toEqual([false, false])
  expect(alerts).toEqual([{ kind: 'sums-failing', message: expect.stringMatching(/^runs cannot be added.*\(SQLITE_CORRUPT\)/) }])
  expect(JSON.stringify(alerts)).not.toContain('secret')
  isFailing = false
  expect([await rollups.catchUp(1000), await rollups.catchUp(1000)]).toEqual([true, true])
  expect(alerts.map(({ kind }) => kind)).toEqual(['sums-failing', 'sums-recovered'])
})
