/** A place in a fair queue. */
export interface Queued<Item> {
  readonly caller: string
  readonly item: Item
}

/** Neighbours in a ring; a ring that is empty has only its anchor. */
class Ring<Value> {
  readonly value: Value
  #before: Ring<Value> = this
  #after: Ring<Value> = this

  constructor(value: Value) {
    this.value = value
  }

  get after(): Ring<Value> {
    return this.#after
  }

  get before(): Ring<Value> {
    return this.#before
  }

  /** Whether it has no neighbours. */
  get isAlone(): boolean {
    return this.#after === this
  }

  /** Moves to the place before another. */
  moveBefore(other: Ring<Value>): void {
    this.leave()
    this.#after = other
    this.#before = other.#before
    other.#before.#after = this
    other.#before = this
  }

  leave(): void {
    this.#before.#after = this.#after
    this.#after.#before = this.#before
    this.#before = this
    this.#after = this
  }
}

/** What one caller has in a queue. */
class Share<Item> {
  readonly caller: string
  /** The anchor of its entries, the oldest first. */
  readonly entries = new Ring<Entry<Item> | undefined>(undefined)
  /** Its place among callers that take turns. */
  readonly turn = new Ring<Share<Item> | undefined>(this)
  /** Its place among callers with as many entries. */
  readonly rank = new Ring<Share<Item> | undefined>(this)
  size = 0

  constructor(caller: string) {
    this.caller = caller
  }
}

class Entry<Item> implements Queued<Item> {
  readonly item: Item
  readonly share: Share<Item>
  readonly place: Ring<Entry<Item> | undefined> = new Ring<Entry<Item> | undefined>(this)
  /** Later ones of a caller have larger numbers. */
  readonly number: number
  isQueued = true

  constructor(share: Share<Item>, item: Item, number: number) {
    this.share = share
    this.item = item
    this.number = number
  }

  get caller(): string {
    return this.share.caller
  }
}

/**
 * Holds the work of several callers, who take turns: each has one item taken before any of them has
 * a second one. No operation depends on how much is held, or for how many.
 */
export class FairQueue<Item> {
  readonly #shares = new Map<string, Share<Item>>()
  readonly #turns = new Ring<Share<Item> | undefined>(undefined)
  /** Callers by the number of their entries. */
  readonly #ranks: Ring<Share<Item> | undefined>[] = []
  #most = 0
  #size = 0
  #added = 0

  get size(): number {
    return this.#size
  }

  /** Number of callers with at least one item. */
  get callers(): number {
    return this.#shares.size
  }

  /** Number of items of a caller. */
  sizeOf(caller: string): number {
    return this.#shares.get(caller)?.size ?? 0
  }

  /** Appends an item; a new caller has its turn after all others. */
  add(caller: string, item: Item): Queued<Item> {
    let share = this.#shares.get(caller)
    if (share === undefined) {
      share = new Share<Item>(caller)
      this.#shares.set(caller, share)
      share.turn.moveBefore(this.#turns)
    }
    const entry = new Entry(share, item, this.#added++)
    entry.place.moveBefore(share.entries)
    this.#resize(share, 1)
    return entry
  }

  /** Removes an item; false when it is not there any more. */
  delete(entry: Queued<Item>): boolean {
    const { share, place } = entry as Entry<Item>
    if (!(entry as Entry<Item>).isQueued) return false
    ;(entry as Entry<Item>).isQueued = false
    place.leave()
    this.#resize(share, -1)
    if (share.size > 0) return true
    share.turn.leave()
    this.#shares.delete(share.caller)
    return true
  }

  /** Removes an item because it is served: its caller has the next turn after all others. */
  take(entry: Queued<Item>): boolean {
    const { share } = entry as Entry<Item>
    const wasQueued = this.delete(entry)
    if (wasQueued && share.size > 0) share.turn.moveBefore(this.#turns)
    return wasQueued
  }

  /** The oldest item of the caller whose turn it is. */
  get next(): Queued<Item> | undefined {
    return this.#turns.after.value?.entries.after.value
  }

  /** Takes the oldest item of the caller whose turn it is. */
  shift(): Item | undefined {
    const { next } = this
    if (next !== undefined) this.take(next)
    return next?.item
  }

  /** The oldest item of a caller that has the most. */
  get oldestOfMost(): Queued<Item> | undefined {
    return this.#largest?.entries.after.value
  }

  /** The newest item of a caller that has the most. */
  get newestOfMost(): Queued<Item> | undefined {
    return this.#largest?.entries.before.value
  }

  /** The items in the order in which they are served; those of one caller are walked from the oldest. What is removed while it walks is left out. */
  *[Symbol.iterator](): Generator<Queued<Item>> {
    let round: Entry<Item>[] = []
    for (let turn = this.#turns.after; turn.value !== undefined; turn = turn.after) {
      const first = turn.value.entries.after.value
      if (first !== undefined) round.push(first)
    }
    while (round.length > 0) {
      const next: Entry<Item>[] = []
      for (const planned of round) {
        const entry = planned.isQueued ? planned : successor(planned)
        if (entry === undefined) continue
        // Known before, because who takes it removes it.
        const after = entry.place.after.value
        yield entry
        if (after !== undefined) next.push(after)
      }
      round = next
    }
  }

  get #largest(): Share<Item> | undefined {
    return this.#ranks[this.#most]?.after.value
  }

  #resize(share: Share<Item>, by: 1 | -1): void {
    share.size += by
    this.#size += by
    if (share.size === 0) share.rank.leave()
    else {
      const rank = this.#ranks[share.size] ?? new Ring<Share<Item> | undefined>(undefined)
      this.#ranks[share.size] = rank
      share.rank.moveBefore(rank)
    }
    // Sizes change by one, so that the next lower rank is never far.
    if (share.size > this.#most) this.#most = share.size
    else if (this.#most > 0 && this.#ranks[this.#most]?.isAlone) this.#most--
  }
}

/** The next of the same caller, where an entry has left its neighbours. */
function successor<Item>({ share, number }: Entry<Item>): Entry<Item> | undefined {
  let { after } = share.entries
  while (after.value !== undefined && after.value.number < number) after = after.after
  return after.value
}

/** Whether a caller may wait in a queue, for which the newest item of a caller with more makes room when it is full; that one is given to `drop`. */
export function makeRoom<Item>(queue: FairQueue<Item>, limit: number, caller: string, drop: (item: Item) => void): boolean {
  if (queue.size < limit) return true
  const last = queue.newestOfMost
  if (last === undefined || queue.sizeOf(last.caller) <= queue.sizeOf(caller) + 1) return false
  queue.delete(last)
  drop(last.item)
  return true
}
