import { join } from 'node:path'
import Database from 'libsql'
import { expect, onTestFinished, test } from 'vitest'
import { sampleRun, temporaryFolder } from '../../testing/store-fixtures.ts'
import { runLine } from '../journal/line.ts'
import { migrate } from '../migrations/migrate.ts'
import { tableRows } from '../rows/table-rows.ts'
import { openSqlite } from './sqlite.ts'

test('waiting for another process holds up nobody in this one', async () => {
  const path = join(
    temporaryFolder((remove) => onTestFinished(remove)),
    'state.db',
  )
  const engine = await openSqlite(path, { busyTimeoutMs: 2000 })
  await migrate(engine, Date.now)
  const insert = (number: number) => engine.insert(tableRows([runLine(sampleRun(number), false)]))
  await insert(1)
  const other = new Database(path)
  other.exec('begin immediate')
  // If SQLite itself waited, every tick would take two seconds.
  let ticks = 0
  const timer = setInterval(() => {
    ticks++
    if (ticks === 10) other.exec('rollback')
  }, 1)
  await insert(2)
  clearInterval(timer)
  expect(ticks).toBeGreaterThanOrEqual(10)
  expect(await engine.db.selectFrom('runs').select('id').execute()).toHaveLength(2)
  other.close()
  await engine.close()
})
