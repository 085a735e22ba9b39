import { Answer } from '../../answer/answer.ts'
import type { ActiveValidator } from '../../contract/configuration/read-checks.ts'
import { floodProblem } from '../../contract/rules/most-findings.ts'
import { TooComplex } from '../../contract/too-complex.ts'
import { ValidatorUnavailable } from '../../contract/validator-unavailable.ts'
import { guardCertificate, guardFinding } from './guard-findings.ts'
import { plainLine } from './plain-line.ts'

type Source = Iterable<unknown> | AsyncIterable<unknown>

/** Keeps a validator from outside to its types and within bounds, and gives it a copy of the answer; whatever else it does makes it `unchecked`. */
export function guardOutside(validator: ActiveValidator): ActiveValidator {
  const { prepared } = validator
  const { name, ports, allow, optedIn, lastResort, edits, secret, repair } = prepared
  return {
    ...validator,
    prepared: {
      ...(name === undefined ? {} : { name }),
      ...(ports === undefined ? {} : { ports }),
      ...(allow === undefined ? {} : { allow }),
      ...(optedIn === undefined ? {} : { optedIn }),
      ...(lastResort === undefined ? {} : { lastResort }),
      ...(edits === undefined ? {} : { edits }),
      ...(secret === undefined ? {} : { secret }),
      check: (answer, context) =>
        guard(
          () => prepared.check(copyOf(answer), context),
          (item) => guardFinding(item, answer.text.length),
        ),
      ...(typeof repair === 'function'
        ? {
            repair: (answer, issues, context, allowed) =>
              guard(() => repair.call(prepared, copyOf(answer), structuredClone(issues), context, allowed), guardCertificate),
          }
        : {}),
    },
  }
}

/** What a validator does to its answer must not reach the others. */
function copyOf({ text, toolCalls, finishReason, finishMissing, unread }: Answer): Answer {
  return new Answer(text, { toolCalls: structuredClone(toolCalls), finishReason, finishMissing, unread })
}

function guard<Item>(start: () => Source, read: (item: unknown) => Item): Iterable<Item> | AsyncIterable<Item> {
  const given: unknown = told(start)
  if (typeof given !== 'object' || given === null) throw notAList(given)
  if (Symbol.asyncIterator in given) return guardLater(given as AsyncIterable<unknown>, read)
  if (Symbol.iterator in given) return guardNow(given as Iterable<unknown>, read)
  throw notAList(given)
}

function notAList(given: unknown): Error {
  const advice = given instanceof Promise ? '; write it as an async generator, `async *check`' : ''
  return new Error(`the validator must yield what it finds, or return a list${advice}`)
}

function* guardNow<Item>(source: Iterable<unknown>, read: (item: unknown) => Item): Generator<Item> {
  const iterator = source[Symbol.iterator]()
  for (let count = 1; ; count++) {
    const step = told(() => iterator.next())
    // The collector reports what a generator returns by mistake.
    if (step.done) return step.value as undefined
    yield read(counted(step.value, count))
  }
}

async function* guardLater<Item>(source: AsyncIterable<unknown>, read: (item: unknown) => Item): AsyncGenerator<Item> {
  const iterator = source[Symbol.asyncIterator]()
  for (let count = 1; ; count++) {
    const step = await iterator.next().catch((error: unknown) => {
      throw ownError(error)
    })
    if (step.done) return step.value as undefined
    yield read(counted(step.value, count))
  }
}

function told<Result>(run: () => Result): Result {
  try {
    return run()
  } catch (error) {
    throw ownError(error)
  }
}

function counted(item: unknown, count: number): unknown {
  const problem = floodProblem(count)
  if (problem !== undefined) throw new Error(`the validator ${problem}`)
  return item
}

/** What a validator from outside threw, as an error of this copy of the library: it may have been written with another one. */
export function ownError(thrown: unknown): unknown {
  if (!(thrown instanceof Error)) return new Error(plainLine(thrown))
  if (thrown instanceof TooComplex || thrown instanceof ValidatorUnavailable) return thrown
  if (thrown.name === 'ValidatorUnavailable') return new ValidatorUnavailable(plainLine(thrown))
  if (thrown.name === 'TooComplex') return new TooComplex(reasonOf(thrown))
  return new Error(plainLine(thrown), { cause: thrown })
}

function reasonOf(thrown: Error): ConstructorParameters<typeof TooComplex>[0] {
  const { en, de } = ((thrown as { readonly reason?: unknown }).reason ?? {}) as { readonly en?: unknown; readonly de?: unknown }
  if (typeof en !== 'string' || typeof de !== 'string') return plainLine(thrown)
  return { en: plainLine(en), de: plainLine(de) }
}
