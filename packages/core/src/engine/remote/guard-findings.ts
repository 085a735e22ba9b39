import { type Certificate, repairClasses } from '../../contract/certificate.ts'
import type { Finding } from '../../contract/issue.ts'
import { clamp } from '../../contract/quote.ts'

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
