import type { Certificate } from '../api/run-types.ts'

/** One replacement in a text, and the number of its certificate. */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly before: string
  readonly after: string
  readonly certificate: number
  readonly rule: string
}

/** Edits that refer to the same text. */
export type Round = readonly Edit[]

/** In place of each character that must not be shown. */
export const hiddenCharacter = '•'

const mostSteps = 5000
const mostCharacters = 50_000_000

/** The changes of an answer's text, in the order in which they were made. */
export function editsOf(certificates: readonly Certificate[]): readonly Edit[] {
  return certificates.flatMap(({ span, before, after, rule, secret, in: part }, certificate) => {
    if (part !== undefined) return []
    const { start, end } = span
    return [{ start, end, before: secret ? hiddenCharacter.repeat(Math.max(0, end - start)) : before, after, certificate, rule }]
  })
}

/** The text after edits that refer to it; undefined when they overlap or do not fit. */
export function applied(text: string, round: Round): string | undefined {
  const pieces: string[] = []
  let at = 0
  for (const { start, end, before, after } of inOrder(round)) {
    if (start < at || end < start || text.slice(start, end) !== before) return undefined
    pieces.push(text.slice(at, start), after)
    at = end
  }
  return pieces.join('') + text.slice(at)
}

/** The edits by their place. */
export function inOrder(round: Round): Round {
  return [...round].sort((a, b) => a.start - b.start || a.end - b.end)
}

/**
 * Finds the rounds in which edits lead from one text to another. Certificates do not say where a round ends: those of one repair refer to the same text,
 * those of the next to the text after it. The first division that gives the other text is taken; undefined when none does.
 */
export function roundsBetween(start: string, edits: readonly Edit[], end: string): readonly Round[] | undefined {
  let steps = 0
  let characters = 0
  const apply = (text: string, round: Round): string | undefined => {
    characters += text.length
    return applied(text, round)
  }
  const walk = (at: number, text: string, round: Round, done: readonly Round[]): readonly Round[] | undefined => {
    if (++steps > mostSteps || characters > mostCharacters) return undefined
    const edit = edits[at]
    if (edit === undefined) return apply(text, round) === end ? [...done, round] : undefined
    const join = () => (fits(text, round, edit) ? walk(at + 1, text, [...round, edit], done) : undefined)
    const begin = () => {
      const next = round.length === 0 ? undefined : apply(text, round)
      return next !== undefined && fits(next, [], edit) ? walk(at + 1, next, [edit], [...done, round]) : undefined
    }
    return round.length === 0 || round.at(-1)?.rule === edit.rule ? (join() ?? begin()) : (begin() ?? join())
  }
  return edits.length === 0 ? (start === end ? [] : undefined) : walk(0, start, [], [])
}

function fits(text: string, round: Round, edit: Edit): boolean {
  if (edit.start > edit.end || edit.end > text.length || text.slice(edit.start, edit.end) !== edit.before) return false
  return round.every(({ start, end }) => edit.start >= end || edit.end <= start)
}

/** The text before edits, for which only the text after them is known; undefined when no usual division into rounds fits. */
export function undone(end: string, edits: readonly Edit[]): string | undefined {
  for (const rounds of divisions(edits)) {
    let text: string | undefined = end
    for (const round of [...rounds].reverse()) text = text === undefined ? undefined : reverted(text, round)
    if (text !== undefined) return text
  }
  return undefined
}

/** The text before one round. */
export function reverted(text: string, round: Round): string | undefined {
  const pieces: string[] = []
  let at = 0
  let shift = 0
  for (const { start, end, before, after } of inOrder(round)) {
    const place = start + shift
    if (place < at || text.slice(place, place + after.length) !== after) return undefined
    pieces.push(text.slice(at, place), before)
    at = place + after.length
    shift += after.length - (end - start)
  }
  return pieces.join('') + text.slice(at)
}

/** Rounds by rule and place, by place alone, and one for each edit. */
function* divisions(edits: readonly Edit[]): Generator<readonly Round[]> {
  yield divided(edits, (last, edit) => last.rule === edit.rule && edit.start >= last.end)
  yield divided(edits, (last, edit) => edit.start >= last.end)
  yield edits.map((edit) => [edit])
}

function divided(edits: readonly Edit[], isSame: (last: Edit, edit: Edit) => boolean): readonly Round[] {
  const rounds: Edit[][] = []
  for (const edit of edits) {
    const round = rounds.at(-1)
    const last = round?.at(-1)
    if (round !== undefined && last !== undefined && isSame(last, edit)) round.push(edit)
    else rounds.push([edit])
  }
  return rounds
}
