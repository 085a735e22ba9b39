import type { Answer } from '../../answer/answer.ts'
import { errorMessage } from '../../answer/thrown.ts'
import type { ActiveValidator } from '../../contract/configuration/read-checks.ts'
import type { Contract } from '../../contract/contract.ts'
import type { Finding } from '../../contract/issue.ts'
import type { Clock } from '../../contract/ports.ts'
import { TooComplex } from '../../contract/too-complex.ts'
import type { CheckContext } from '../../contract/validator.ts'
import { TimeLimit, ValidatorUnavailable } from '../../contract/validator-unavailable.ts'
import { CheckScope, contextFor } from './check-scope.ts'
import type { CheckSetting } from './check-setting.ts'
import type { Collected, Complexity, Unverified } from './report.ts'

type Source<Item> = Iterable<Item> | AsyncIterable<Item>

/** Collects what a validator yields within its time limit, synchronously where possible; a crash, a hang or an abort is not a verdict. */
export function collectFindings<Item>(
  { name, prepared }: Pick<ActiveValidator, 'name' | 'prepared'>,
  start: (context: CheckContext) => Source<Item>,
  scope: CheckScope,
  timeoutMs: number,
): Collected<Item> | Promise<Collected<Item>> {
  const { setting } = scope
  try {
    if (setting.aborted) throw setting.reason
    const source = start(contextFor(prepared, scope.context))
    if (Array.isArray(source)) {
      scope.close()
      return source
    }
    if (Symbol.asyncIterator in source) return collectLater(name, source, scope, timeoutMs)
    const items = collectSync(source, timeoutMs, setting.clock)
    scope.close()
    return items
  } catch (error) {
    scope.close()
    return describe(name, error, setting)
  }
}

async function collectLater<Item>(
  name: string,
  source: AsyncIterable<Item>,
  scope: CheckScope,
  timeoutMs: number,
): Promise<Collected<Item>> {
  const { setting } = scope
  try {
    return await collectAsync(source, scope, timeoutMs)
  } catch (error) {
    if (error instanceof TimeLimit) scope.close(error)
    return describe(name, error, setting)
  } finally {
    scope.close()
  }
}

function collectSync<Item>(source: Iterable<Item>, timeoutMs: number, clock: Clock): readonly Item[] {
  const deadline = clock.now() + timeoutMs
  const items: Item[] = []
  const iterator = source[Symbol.iterator]()
  for (;;) {
    const step = iterator.next()
    if (step.done) return rejectReturned(items, step.value)
    items.push(step.value)
    if (clock.now() > deadline) throw new TimeLimit(timeoutMs)
  }
}

/** What a generator returns is lost on its way, so it must not be anything. */
function rejectReturned<Item>(items: Item[], returned: unknown): Item[] {
  if (returned !== undefined) throw new Error('returned something instead of yielding it')
  return items
}

async function collectAsync<Item>(source: AsyncIterable<Item>, scope: CheckScope, timeoutMs: number): Promise<Item[]> {
  const { signal, clock } = scope.setting
  let stop = (_reason: unknown): void => {}
  const stopped = new Promise<never>((_resolve, reject) => {
    stop = reject
  })
  const begin = (): (() => void) => clock.after(timeoutMs, () => scope.waits === 0 && stop(new TimeLimit(timeoutMs)))
  let cancel = begin()
  const restart = (): void => {
    cancel()
    cancel = begin()
  }
  scope.onUncounted = restart
  const onAbort = (): void => stop(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([drain(source), stopped])
  } finally {
    scope.onUncounted = doNothing
    cancel()
    signal.removeEventListener('abort', onAbort)
  }
}

function doNothing(): void {}

async function drain<Item>(source: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = []
  const iterator = source[Symbol.asyncIterator]()
  for (;;) {
    const step = await iterator.next()
    if (step.done) return rejectReturned(items, step.value)
    items.push(step.value)
  }
}

function describe(validator: string, error: unknown, { aborted }: CheckSetting): Complexity | Unverified {
  if (error instanceof TooComplex) return { tooComplex: error.reason }
  const message = errorMessage(error)
  if (error instanceof TimeLimit) return { validator, cause: 'timeout', message }
  if (aborted) return { validator, cause: 'aborted', message }
  if (!(error instanceof ValidatorUnavailable)) return { validator, cause: 'crash', message }
  const { reason, circuit, fault, facts } = error
  return {
    validator,
    cause: 'unavailable',
    message,
    ...(reason === undefined ? {} : { reason }),
    ...(fault === undefined ? {} : { fault }),
    ...(circuit === undefined ? {} : { circuit }),
    ...(facts === undefined ? {} : { facts }),
  }
}

/** The checks that have read an answer as it came. */
export interface LiveChecks {
  /** What a validator finds in the whole answer; undefined when it has to check it again. */
  end(validator: ActiveValidator, answer: Answer): readonly Finding[] | undefined
}

/** Collects what all validators of a contract find, in their order; at once when none of them has to wait for something. */
export function collectAll(
  contract: Contract,
  answer: Answer,
  setting: CheckSetting,
  live?: LiveChecks,
): readonly Collected<Finding>[] | Promise<readonly Collected<Finding>[]> {
  const { validators, policy } = contract
  const elsewhere = setting.executor?.check(contract, answer, setting)
  const results: (Collected<Finding> | Promise<Collected<Finding>>)[] = []
  let scope: CheckScope | undefined
  let isLater = false
  for (const validator of validators) {
    const taken = elsewhere?.[results.length]
    if (taken !== undefined) {
      isLater = true
      results.push(taken)
      continue
    }
    scope ??= new CheckScope(policy.locale, setting)
    const start = (context: CheckContext) => live?.end(validator, answer) ?? validator.prepared.check(answer, context)
    const result = collectFindings(validator, start, scope, policy.timeoutMs)
    const waits = result instanceof Promise
    isLater ||= waits
    // Most checks are over at once and leave no trace in their scope.
    if (waits || !scope.fresh) scope = undefined
    results.push(result)
  }
  return isLater ? Promise.all(results) : (results as Collected<Finding>[])
}
