import { Answer } from '../../answer/answer.ts'
import { type Certificate, repairClasses } from '../../contract/certificate.ts'
import { type ActiveValidator, prepareCheck } from '../../contract/configuration/read-checks.ts'
import { ConfigurationError, type ConfigurationProblem } from '../../contract/configuration-error.ts'
import type { Finding } from '../../contract/issue.ts'
import type { Locale } from '../../contract/locale.ts'
import { clamp } from '../../contract/quote.ts'
import { floodProblem } from '../../contract/rules/most-findings.ts'
import { TooComplex } from '../../contract/too-complex.ts'
import type { ValidatorDefinition } from '../../contract/validator.ts'
import { ValidatorUnavailable } from '../../contract/validator-unavailable.ts'
import type { CheckData } from './job.ts'
import { plainLine } from './plain-line.ts'

type Fields = Readonly<Record<string, unknown>>

const longestText = 2000
const longestFact = 1024 * 1024
const deepestPath = 64

/** What a validator from outside yielded, with only the members that a finding has and within bounds; throws when it is something else. */
export function guardFinding(item: unknown, length: number): Finding {
  const { kind, ...fields } = fieldsOf(item)
  if (kind === 'fact') return guardFact(fields)
  const { code, message, severity, hint, span, path, suggestion } = fields
  if (kind !== 'issue' || typeof code !== 'string' || typeof message !== 'string') throw notAFinding()
  if (severity !== undefined && severity !== 'error' && severity !== 'warning')
    throw new Error('the severity of an issue must be error or warning')
  return {
    kind,
    code,
    message: clamp(message, longestText),
    ...(severity === undefined ? {} : { severity }),
    ...(hint === undefined ? {} : { hint: textOf('hint', hint) }),
    ...(span === undefined ? {} : { span: spanOf(span, length) }),
    ...(path === undefined ? {} : { path: pathOf(path) }),
    ...(suggestion === undefined ? {} : { suggestion: textOf('suggestion', suggestion) }),
  }
}

function guardFact({ name, value }: Fields): Finding {
  if (typeof name !== 'string') throw notAFinding()
  const size = JSON.stringify(value)?.length ?? 0
  if (size > longestFact) throw new Error(`the fact has more than ${longestFact} characters as JSON`)
  return { kind: 'fact', name: clamp(name, 100), value: structuredClone(value) }
}

/** A change that a validator from outside proposes; whether it fits the text is for the repair to find out. */
export function guardCertificate(item: unknown): Certificate {
  const { rule, class: kind, span, before, after } = fieldsOf(item)
  if (typeof rule !== 'string' || typeof before !== 'string' || typeof after !== 'string') throw notACertificate()
  if (!repairClasses.some((one) => one === kind)) throw notACertificate()
  spanOf(span, Number.MAX_SAFE_INTEGER)
  return structuredClone(item) as Certificate
}

function fieldsOf(item: unknown): Fields {
  return typeof item === 'object' && item !== null ? (item as Fields) : {}
}

function notAFinding(): Error {
  return new Error('the validator yields something that is neither a fact nor an issue with one of its codes')
}

function notACertificate(): Error {
  return new Error('the repair yields something that is not a certificate')
}

function textOf(name: string, value: unknown): string {
  if (typeof value !== 'string') throw new Error(`the ${name} of an issue must be a string`)
  return clamp(value, longestText)
}

function spanOf(span: unknown, length: number): { readonly start: number; readonly end: number } {
  const { start, end } = fieldsOf(span)
  const isPlace = Number.isSafeInteger(start) && Number.isSafeInteger(end)
  if (!isPlace || (start as number) < 0 || (end as number) < (start as number) || (end as number) > length)
    throw new Error('the span of an issue is outside of the text')
  return { start: start as number, end: end as number }
}

function pathOf(path: unknown): (string | number)[] {
  if (!Array.isArray(path) || path.length > deepestPath) throw new Error('the path of an issue must be a short list')
  return path.map((segment: unknown) => {
    if (typeof segment === 'number') return segment
    if (typeof segment !== 'string') throw new Error('the path of an issue must have names and numbers only')
    return clamp(segment, longestText)
  })
}

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

/** Builds the validators that checks describe; `find` gives the definition of each. */
export async function rebuild(
  checks: readonly CheckData[],
  locale: Locale,
  find: (check: CheckData) => ValidatorDefinition | undefined | Promise<ValidatorDefinition | undefined>,
): Promise<readonly ActiveValidator[]> {
  const problems: ConfigurationProblem[] = []
  const built: ActiveValidator[] = []
  for (const [at, check] of checks.entries()) {
    const definition = await find(check)
    const options = 'options' in check ? { options: check.options } : {}
    const terms = check.severity && { terms: { severity: check.severity } }
    const prepared = definition && prepareCheck({ name: check.name, definition, at, ...options, ...terms }, locale, problems)
    if (prepared) built.push(check.module === undefined ? prepared : guardOutside(prepared))
    else if (!definition) problems.push({ message: `there is no validator ${check.name} in ${check.module ?? 'the catalogue'}`, path: [] })
  }
  if (problems.length > 0) throw new ConfigurationError(problems)
  return built
}
