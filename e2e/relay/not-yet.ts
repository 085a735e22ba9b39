import { readFileSync, writeFileSync } from 'node:fs'

const path = new URL('not-yet.txt', import.meta.url)
const working = new Set<string>()

/** Cells of the matrix that still differ. The list may only shrink: a cell that passes fails its test until its line is gone. */
export const notYet: ReadonlySet<string> = new Set(readFileSync(path, 'utf8').split('\n').filter(Boolean))

/** Notes that a cell of the list passes. */
export function works(id: string): void {
  working.add(id)
}

/** Removes what passes from the list, when `SHRINK` is set. */
export function shrink(): void {
  if (process.env.SHRINK === undefined || working.size === 0) return
  writeFileSync(
    path,
    [...notYet]
      .filter((id) => !working.has(id))
      .map((id) => `${id}\n`)
      .join(''),
  )
}
