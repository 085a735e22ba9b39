/** A state of the automaton: how much of which texts has been read. */
export interface State {
  readonly next: Map<number, State>
  /** The state of the longest end of what was read that some text begins with. */
  fallback: State | undefined
  readonly depth: number
  /** The texts that end here, longest first. */
  readonly found: number[]
}

/** Finds many texts in one pass (Aho and Corasick): texts and input are lists of symbols. */
export class Automaton {
  readonly root: State = { next: new Map(), fallback: undefined, depth: 0, found: [] }

  constructor(texts: readonly (readonly number[])[]) {
    for (const [index, text] of texts.entries()) this.#add(text, index)
    const queue = [...this.root.next.values()]
    for (const state of queue) state.fallback = this.root
    // It grows while it is gone through.
    for (const state of queue) {
      for (const [symbol, next] of state.next) {
        next.fallback = this.step(state.fallback ?? this.root, symbol)
        next.found.push(...next.fallback.found)
        queue.push(next)
      }
    }
  }

  /** The state after one more symbol. */
  step(from: State, symbol: number): State {
    for (let state: State | undefined = from; state !== undefined; state = state.fallback) {
      const next = state.next.get(symbol)
      if (next !== undefined) return next
    }
    return this.root
  }

  #add(text: readonly number[], index: number): void {
    let state = this.root
    for (const symbol of text) {
      let next = state.next.get(symbol)
      if (next === undefined) {
        next = { next: new Map(), fallback: undefined, depth: state.depth + 1, found: [] }
        state.next.set(symbol, next)
      }
      state = next
    }
    state.found.push(index)
  }
}
