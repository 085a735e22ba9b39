import type { Clock } from '../contract/ports.ts'
import type { ActiveValidator } from '../contract/read-checks.ts'
import type { CheckContext } from '../contract/validator.ts'
import { ValidatorUnavailable } from '../contract/validator-unavailable.ts'
import type { Unchecked } from './report.ts'

type Source<Item> = Iterable<Item> | AsyncIterable<Item>

class TimeLimit extends Error {}

/** Collects what a validator yields within its time limit; a crash, a hang or an abort is no verdict. */
export async function collectFindings<Item>(
  { name }: Pick<ActiveValidator, 'name'>,
  start: (context: CheckContext) => Source<Item>,
  context: CheckContext,
  timeoutMs: number,
  clock: Clock,
): Promise<readonly Item[] | Unchecked> {
  const scope = new Scope(context.signal)
  const inner: CheckContext = {
    ...context,
    get signal() {
      return scope.signal
    },
  }
  try {
    context.signal.throwIfAborted()
    const source = start(inner)
    return Symbol.asyncIterator in source
      ? await collectAsync(source, context.signal, timeoutMs, clock)
      : collectSync(source, timeoutMs, clock)
  } catch (error) {
    return describe(name, error, context.signal)
  } finally {
    scope.close()
  }
}

/** The signal of one validator's run, made on demand since most checks never look at it; nothing they began outlives it. */
class Scope {
  readonly #outer: AbortSignal
  #ending: AbortController | undefined
  #signal: AbortSignal | undefined

  constructor(outer: AbortSignal) {
    this.#outer = outer
  }

  get signal(): AbortSignal {
    this.#ending ??= new AbortController()
    this.#signal ??= AbortSignal.any([this.#outer, this.#ending.signal])
    return this.#signal
  }

  close(): void {
    this.#ending?.abort(over)
  }
}

/** Made once: an error with a stack for every check would cost more than the check. */
const over = new Error('the check is over')

function collectSync<Item>(source: Iterable<Item>, timeoutMs: number, clock: Clock): Item[] {
  const deadline = clock.now() + timeoutMs
  const items: Item[] = []
  const iterator = source[Symbol.iterator]()
  for (;;) {
    const step = iterator.next()
    if (step.done) return rejectReturned(items, step.value)
    items.push(step.value)
    if (clock.now() > deadline) throw new TimeLimit(`took longer than ${timeoutMs} ms`)
  }
}

/** What a generator returns is lost on its way, so it must not be anything. */
function rejectReturned<Item>(items: Item[], returned: unknown): Item[] {
  if (returned !== undefined) throw new Error('returned something instead of yielding it')
  return items
}

async function collectAsync<Item>(source: AsyncIterable<Item>, signal: AbortSignal, timeoutMs: number, clock: Clock): Promise<Item[]> {
  let stop = (_reason: unknown): void => {}
  const stopped = new Promise<never>((_resolve, reject) => {
    stop = reject
  })
  const cancel = clock.after(timeoutMs, () => stop(new TimeLimit(`took longer than ${timeoutMs} ms`)))
  const onAbort = (): void => stop(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([drain(source), stopped])
  } finally {
    cancel()
    signal.removeEventListener('abort', onAbort)
  }
}

async function drain<Item>(source: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = []
  const iterator = source[Symbol.asyncIterator]()
  for (;;) {
    const step = await iterator.next()
    if (step.done) return rejectReturned(items, step.value)
    items.push(step.value)
  }
}

function describe(validator: string, error: unknown, signal: AbortSignal): Unchecked {
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof TimeLimit) return { validator, cause: 'timeout', message }
  if (signal.aborted) return { validator, cause: 'aborted', message }
  return { validator, cause: error instanceof ValidatorUnavailable ? 'unavailable' : 'crash', message }
}
