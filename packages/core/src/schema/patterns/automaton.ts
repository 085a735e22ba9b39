import { SchemaError } from '../schema-error.ts'
import { holds, isWord, type Side } from './parse-pattern.ts'
import type { Program } from './program.ts'

/** Thrown when a text would have to be read too often, or takes too many steps. */
export class TooManyReads extends SchemaError {
  constructor(message: string) {
    super('too-costly', message)
  }
}

/** A set of steps that a search may be at, with what it has learned to do next. */
interface State {
  readonly steps: readonly number[]
  readonly before: Side
  /** The state after a character, `matched` when there was a match before it; kept for characters that were met. */
  readonly after: Map<number, State | typeof matched>
  atEnd?: boolean
}

const matched = Symbol('matched')

/** States and transitions beyond this are forgotten, so that a hostile text cannot fill the memory. */
const mostStates = 1_000
const mostTransitions = 20_000

/** Steps that may be worked out for each character, beside some in any case; what is known already is free. */
const freeSteps = 2_000_000
const mostSteps = 50

/**
 * Finds out whether a program matches anywhere in a text, in time linear in both: all ways of matching are followed at once, and what was worked out for a
 * state and a character is kept.
 */
export class Automaton {
  readonly #program: Program
  readonly #states = new Map<string, State>()
  #transitions = 0
  #steps = 0

  constructor(program: Program) {
    this.#program = program
  }

  /** Throws TooManyReads when a text takes too many steps. */
  test(text: string): boolean {
    this.#steps = 0
    let state = this.#state([], 'edge')
    for (let at = 0; at < text.length; at++) {
      const code = text.codePointAt(at) ?? 0
      if (code > 0xffff) at++
      const next = state.after.get(code) ?? this.#learn(state, code)
      if (this.#steps > mostSteps * text.length + freeSteps) throw new TooManyReads('the pattern takes too many steps')
      if (next === matched) return true
      state = next
    }
    state.atEnd ??= this.#reachable(state, 'edge') === matched
    return state.atEnd
  }

  #learn(state: State, code: number): State | typeof matched {
    if (++this.#transitions > mostTransitions || this.#states.size > mostStates) {
      this.#states.clear()
      this.#transitions = 0
    }
    const next = this.#next(state, code)
    state.after.set(code, next)
    return next
  }

  #next(state: State, code: number): State | typeof matched {
    const side = isWord(code) ? 'word' : 'other'
    const here = this.#reachable(state, side)
    if (here === matched) return matched
    const after = new Set<number>()
    for (const index of here) {
      const step = this.#program.steps[index]
      if (step?.type === 'take' && step.set.has(code)) after.add(step.next)
    }
    return this.#state(
      [...after].sort((a, b) => a - b),
      side,
    )
  }

  /** Everything that can be reached without taking a character, with a match beginning here too. */
  #reachable({ steps, before }: State, following: Side): ReadonlySet<number> | typeof matched {
    const seen = new Set<number>()
    const waiting = [this.#program.start, ...steps]
    for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
      this.#steps++
      if (seen.has(index)) continue
      seen.add(index)
      const step = this.#program.steps[index]
      if (step?.type === 'match') return matched
      if (step?.type === 'split') waiting.push(step.first, step.second)
      else if (step?.type === 'ask' && holds(step.assertion, before, following)) waiting.push(step.next)
    }
    return seen
  }

  #state(steps: readonly number[], before: Side): State {
    const key = `${before} ${steps.join(' ')}`
    const known = this.#states.get(key)
    if (known !== undefined) return known
    const state: State = { steps, before, after: new Map() }
    this.#states.set(key, state)
    return state
  }
}
