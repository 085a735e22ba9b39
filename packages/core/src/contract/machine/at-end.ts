import type { Answer } from '../../answer/answer.ts'
import type { Finding } from '../issue.ts'
import type { Machine, Reading } from './machine.ts'

/** Reports what a look at the whole answer has found. */
export function reportAtEnd<Code extends string>(reading: Reading<Code>, findings: Iterable<Finding<Code>>): void {
  for (const found of findings)
    if (found.kind === 'fact') reading.fact(found.name, found.value)
    else reading.wrong({ start: 0, at: Number.POSITIVE_INFINITY, issue: () => found })
}

/** A machine for what only the whole answer shows: it never holds a stream back. */
export function judgedAtEnd<Code extends string>(reading: Reading<Code>, judge: (answer: Answer) => Iterable<Finding<Code>>): Machine {
  return {
    safe: Number.POSITIVE_INFINITY,
    readsWhole: true,
    read: () => {
      if (reading.answer) reportAtEnd(reading, judge(reading.answer))
    },
  }
}
