import { readFileSync, writeFileSync } from 'node:fs'
import { expect } from 'vitest'

/** Cells of the matrix that still differ. The list may only shrink: a cell that passes fails its test until its line is gone. */
const path = new URL('not-yet.txt', import.meta.url)
const notYet: ReadonlySet<string> = new Set(readFileSync(path, 'utf8').split('\n').filter(Boolean))
const working = new Set<string>()

/** Runs a test that must pass, or, as long as the list names it, must not. */
export async function mayWait(id: string, test: () => Promise<void>): Promise<void> {
  if (!notYet.has(id)) return await test()
  const passed = await test().then(
    () => true,
    () => false,
  )
  if (passed) working.add(id)
  expect(passed, 'This works now: run the test with SHRINK=1, which removes it from not-yet.txt.').toBe(false)
}

/** Removes what passes from the list, when `SHRINK` is set. */
export function shrink(): void {
  if (process.env.SHRINK === undefined || working.size === 0) return
  const left = readFileSync(path, 'utf8')
    .split('\n')
    .filter((id) => id !== '' && !working.has(id))
  writeFileSync(path, left.map((id) => `${id}\n`).join(''))
}
