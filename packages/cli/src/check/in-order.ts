/** Limits of concurrent work. */
interface Bounds<Item> {
  readonly items: number
  readonly weight: number
  weigh(item: Item): number
}

/** Processes items concurrently and yields results in order, as soon as possible; waits when too much is in progress. */
export async function* inOrder<Item, Result>(
  items: AsyncIterable<Item>,
  work: (item: Item) => Promise<Result>,
  bounds: Bounds<Item>,
): AsyncGenerator<Result> {
  const source = items[Symbol.asyncIterator]()
  const underWay: { readonly result: Promise<Result>; readonly weight: number }[] = []
  let weight = 0
  let failure: { readonly error: unknown } | undefined
  /** What was read and waits for its turn. */
  let item: { readonly value: Item } | undefined
  /** Absent while an item waits, and at the end of the source. */
  let reading: Promise<void> | undefined

  const read = (): void => {
    reading = source.next().then(
      ({ done, value }) => {
        reading = undefined
        if (!done) item = { value }
      },
      // Results of what came before a source broke are still yielded.
      (error: unknown) => {
        reading = undefined
        failure = { error }
      },
    )
  }

  read()
  for (;;) {
    const [first] = underWay
    const added = item === undefined ? 0 : bounds.weigh(item.value)
    // At least one item is always processed, however large.
    const hasRoom = first === undefined || (underWay.length < bounds.items && weight + added <= bounds.weight)
    if (item !== undefined && hasRoom) {
      const result = work(item.value)
      // After a failure nothing waits for the later ones.
      result.catch(() => {})
      underWay.push({ result, weight: added })
      weight += added
      item = undefined
      read()
    } else if (first !== undefined) {
      // More is read while the first one is worked on.
      if (reading !== undefined && !(await Promise.race([first.result.then(() => true), reading]))) continue
      yield await first.result
      underWay.shift()
      weight -= first.weight
    } else if (reading !== undefined) await reading
    else break
  }
  if (failure) throw failure.error
}
