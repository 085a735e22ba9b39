import { expect, it } from 'vitest'
import type { Issue } from '../api/run-types.ts'
import { unredacted } from './unredacted.ts'

const issue = (validator: string, start: number, end: number): Issue => ({
  ...{ code: 'X', severity: 'error', validator, message: '' },
  span: { start, end },
})

it.each([
  ['two secrets', 'Mail [EMAIL] or [EMAIL].', [issue('secrets', 5, 17), issue('secrets', 21, 31)], 'Mail •••••••••••• or ••••••••••.'],
  ['a hidden one', 'Key [hidden]!', [issue('secrets', 4, 6)], 'Key ••!'],
  ['an issue elsewhere', 'Mail [EMAIL].', [issue('words', 0, 4)], 'Mail [EMAIL].'],
  ['one of two at a placeholder', 'Mail [EMAIL] now.', [issue('words', 5, 12), issue('words', 13, 16)], 'Mail [EMAIL] now.'],
  ['nothing', 'Mail.', [], 'Mail.'],
])('%s', (_name, text, issues, expected) => {
  expect(unredacted(text, issues)).toBe(expected)
})
