import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../testing/store-fixtures.ts'
import { openSqlite } from './sqlite.ts'

test.skipIf(process.platform === 'win32')('what is kept can be read by its owner only', async () => {
  const path = join(
    temporaryFolder((remove) => onTestFinished(remove)),
    'deep',
    'runs.db',
  )
  const engine = await openSqlite(path, { busyTimeoutMs: 1000 })
  onTestFinished(() => engine.close())
  await engine.transaction(async () => {})
  for (const end of ['', '-wal', '-shm']) expect(((await stat(path + end)).mode & 0o777).toString(8)).toBe('600')
})
