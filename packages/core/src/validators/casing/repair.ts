import type { Answer } from '../../answer/answer.ts'
import type { Certificate } from '../../contract/certificate.ts'
import { type Casing, findWrongCase, inCase } from './letters.ts'

/** Writes each line in the case that is asked for, from its first letter in the wrong case on. */
export function* repairCasing({ text, bodyStart }: Answer, is: Casing): Generator<Certificate> {
  for (let wrong = findWrongCase(text, bodyStart, is); wrong; ) {
    const line = text.indexOf('\n', wrong.end)
    const end = line < 0 ? text.length : line
    const before = text.slice(wrong.start, end)
    yield { rule: `${is}-case`, class: 'lossy', span: { start: wrong.start, end }, before, after: inCase(before, is) }
    wrong = findWrongCase(text, end, is)
  }
}
