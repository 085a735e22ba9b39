import { expect, it } from 'vitest'
import { countLines, exportedNotice } from './export-button.tsx'

it.each([
  ['', 0],
  ['{"text":"a\\nb"}\n', 1],
  ['{"text":"\u2028é"}\n'.repeat(70_000), 70_000],
])('counts the lines of an export (%#)', async (text, lines) => {
  expect(await countLines(new Blob([text]))).toBe(lines)
})

it.each([
  [0, '0 runs were exported.'],
  [1, '1 run was exported.'],
  [49_999, '49999 runs were exported.'],
  [50_000, 'Only the newest 50000 runs were exported. Choose a shorter period for the others.'],
])('says how many of %i were exported', (count, notice) => {
  expect(exportedNotice(count, String)).toBe(notice)
})
