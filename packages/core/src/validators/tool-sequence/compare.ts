import type { SequenceMatch } from './automaton.ts'

/** How calls differ from the expected ones. */
export type Difference =
  | { readonly code: 'UNEXPECTED_CALL'; readonly index: number }
  | { readonly code: 'MISSING_CALL'; readonly tool: string }
  | { readonly code: 'OUT_OF_ORDER'; readonly index: number; readonly expected: string }

/** Compares the names of calls with the expected ones. */
export function compareCalls(names: readonly string[], expect: readonly string[], match: SequenceMatch): Difference[] {
  const line = matchInOrder(names, expect)
  if (match === 'in_order') return line.complete ? [] : explainGap(names, expect, line)
  const lacking = beyond(expect, names)
  if (match === 'any_order') return lacking.map((place) => missing(expect[place]))
  if (line.complete)
    return names.flatMap((_name, index): Difference[] => (line.used.has(index) ? [] : [{ code: 'UNEXPECTED_CALL', index }]))

  const extra = beyond(names, expect)
  const kept = without(names, extra)
  const due = without(expect, lacking)
  const reached = due.at(-1)?.place ?? -1
  const skipped = match === 'prefix' ? lacking.filter((place) => place < reached) : lacking
  const wrong = kept.findIndex(({ name }, position) => name !== due[position]?.name)
  const misplaced = kept[wrong]
  return [
    ...extra.map((index): Difference => ({ code: 'UNEXPECTED_CALL', index })),
    ...skipped.map((place) => missing(expect[place])),
    ...(misplaced ? [{ code: 'OUT_OF_ORDER' as const, index: misplaced.place, expected: due[wrong]?.name ?? '' }] : []),
  ]
}

interface InOrder {
  /** The calls that were taken for expected ones. */
  readonly used: ReadonlySet<number>
  readonly complete: boolean
}

/** Finds the expected calls one after the other, with others between them. */
function matchInOrder(names: readonly string[], expect: readonly string[]): InOrder {
  const used = new Set<number>()
  for (const [index, name] of names.entries()) if (name === expect[used.size]) used.add(index)
  return { used, complete: used.size === expect.length }
}

function explainGap(names: readonly string[], expect: readonly string[], { used }: InOrder): Difference[] {
  const lacking = beyond(expect, names)
  if (lacking.length > 0) return lacking.map((place) => missing(expect[place]))
  // All were called; the first that could not be found was called too early.
  const late = expect[used.size] ?? ''
  return [{ code: 'OUT_OF_ORDER', index: names.lastIndexOf(late), expected: late }]
}

/** The places of names that the other list does not have as often. */
function beyond(names: readonly string[], others: readonly string[]): number[] {
  const left = new Map<string, number>()
  for (const name of others) left.set(name, (left.get(name) ?? 0) + 1)
  return [...names.keys()].filter((place) => {
    const name = names[place] ?? ''
    const count = left.get(name) ?? 0
    left.set(name, count - 1)
    return count <= 0
  })
}

interface Placed {
  readonly name: string
  readonly place: number
}

function without(names: readonly string[], places: readonly number[]): Placed[] {
  const dropped = new Set(places)
  return names.map((name, place) => ({ name, place })).filter(({ place }) => !dropped.has(place))
}

function missing(tool: string | undefined): Difference {
  return { code: 'MISSING_CALL', tool: tool ?? '' }
}
