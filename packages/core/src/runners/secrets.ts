import { mask } from '../contract/quote.ts'
import { RunnerFailure } from '../engine/runner-failure.ts'

/** Shorter values are placeholders such as `none`, and would tear ordinary words apart. */
const shortest = 8

/** A shorter run of letters is a word such as `password`, and a text may hold it by chance. */
const longestWord = 15

/** The longest failure message. */
const longest = { message: 360, body: 4096 } as const

/** Whether a value is masked wherever it appears: it is long enough, and not a single word. */
export function isMaskable(secret: string): boolean {
  return secret.length >= shortest && (secret.length > longestWord || !/^[A-Za-z]*$/.test(secret))
}

/** Makes a function that masks whole secrets in a text; a part of one is never masked, because that would confirm a guess. */
export function redactor(secrets: Iterable<string>): (text: string) => string {
  const known = [...new Set(secrets)].filter(isMaskable).sort((a, b) => b.length - a.length)
  return (text) => known.reduce((rest, secret) => (rest.includes(secret) ? rest.replaceAll(secret, mask) : rest), text)
}

/** The same failure without secrets in its message or details, both cut only after they were masked. */
export function redactFailure(failure: RunnerFailure, redact: (text: string) => string): RunnerFailure {
  const { body, headers, cause, ...details } = failure.details
  const message = redact(failure.message).slice(0, longest.message).trim()
  return new RunnerFailure(
    failure.kind,
    { ...failure, message },
    {
      ...details,
      ...(body === undefined ? {} : { body: redact(body).slice(0, longest.body) }),
      ...(headers === undefined ? {} : { headers: redactHeaders(headers, redact) }),
      // The caller's own reason to abort is safe; an error of `fetch` may hold the request with its headers.
      ...(cause !== undefined && failure.kind === 'aborted' ? { cause } : {}),
    },
  )
}

/** The same headers without secrets in their values. */
export function redactHeaders(
  headers: Readonly<Record<string, string>>,
  redact: (text: string) => string,
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, redact(value)]))
}
