import { expect, it } from 'vitest'
import { titleOfText } from './run-words.ts'

it.each([
  [{ status: 'unchecked', httpStatus: 424 }, 'Withheld: it could not be checked'],
  [{ status: 'unchecked', httpStatus: 200 }, 'Withheld: it could not be checked'],
  [{ status: 'unchecked', delivered: true }, 'Delivered answer'],
  [{ status: 'unchecked', delivered: true, fallback: true as const }, 'Delivered: the fallback of the contract'],
  [{ status: 'unresolved', httpStatus: 422 }, 'Rejected answer, not delivered'],
  [{ status: 'failed', httpStatus: 502, text: '' }, 'No answer'],
])('the text of %j is called "%s"', (run, title) => {
  expect(titleOfText({ delivered: false, httpStatus: 200, text: 'Two words.', ...run })).toBe(title)
})
