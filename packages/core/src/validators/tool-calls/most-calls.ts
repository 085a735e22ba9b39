import { TooComplex } from '../../contract/too-complex.ts'

/** No task needs as many calls at once; what is done with each of them adds up. */
const mostCalls = 1000

/** Makes sure that an answer does not call more tools at once than are looked at. */
export function rejectManyCalls(calls: readonly unknown[]): void {
  if (calls.length > mostCalls)
    throw new TooComplex({ en: `it has more than ${mostCalls} tool calls`, de: `sie hat mehr als ${mostCalls} Tool-Aufrufe` })
}
