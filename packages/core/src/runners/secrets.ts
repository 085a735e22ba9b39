import { RunnerFailure } from '../engine/runner-failure.ts'

/** Shorter values are placeholders such as `none`, and would tear ordinary words apart. */
const shortest = 8

/** A shorter run of letters is a word such as `password`, and a text may hold it by chance. */
const longestWord = 15

const mask = '[redacted]'

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

/** What looks like a secret, also right behind the escape of a line break: keys of providers, web tokens, what follows `Bearer`, credentials and queries of addresses, and named keys; what stands in the first group stays. */
const patterns: readonly RegExp[] = [
  // backtracks: from one start it reads at most 512 characters, and takes them
  /(?:\b|(?<=\\[bfnrt]))()(?:sk|pk|rk|gsk|xai|hf|ghp|gho|ghs|glpat|xox[abps])[-_][-_.A-Za-z0-9]{8,512}/g,
  /(?:\b|(?<=\\[bfnrt]))()(?:AKIA|AIza|ya29\.)[-_A-Za-z0-9]{12,512}/g,
  // backtracks: from one start it reads at most 2048 characters in vain
  /(?:\b|(?<=\\[bfnrt]))()eyJ[-_A-Za-z0-9]{8,2048}\.[-_A-Za-z0-9.]{8,4096}/g,
  // backtracks: from one start it reads the word and 4 characters in vain
  /(?:\b|(?<=\\[bfnrt]))(Bearer[ =:]{1,4})[-_.~+/=A-Za-z0-9]{6,4096}/gi,
  // backtracks: from one start it reads the word and 16 characters in vain
  /(?:\b|(?<=\\[bfnrt]))(Basic[ =:]{1,4})[+/=A-Za-z0-9]{12,4096}/gi,
  // backtracks: from one start it reads at most 512 characters in vain
  /(:\/\/)[^\s"/@]{1,512}(?=@)/g,
  /(\?)[-_.~%A-Za-z0-9]{1,64}=[^\s"\\]{0,4096}/g,
  // backtracks: from one start it reads a name and 40 characters in vain
  /(?:(?<![A-Za-z0-9])|(?<=\\[bfnrt]))((?:api[-_]?key|access[-_]?token|secret|password|passwd|authorization|token)(?:\\{0,3}["'])? ?[=:] ?(?:\\{1,3}(?:[bfnrt]|u[0-9a-f]{4})){0,8}(?:\\{0,3}["'])?)[^\s"'&,;}\\]{4,4096}/gi,
]

/** Masks what looks like a secret in a text: in logs, and in what a process says on its error stream. */
export function maskSecretShapes(text: string): string {
  return patterns.reduce((rest, pattern) => rest.replace(pattern, `$1${mask}`), text)
}

/** The same failure without secrets in its message or details, both cut only after they were masked. */
export function redactFailure(failure: RunnerFailure, redact: (text: string) => string): RunnerFailure {
  const { body, headers, cause, ...details } = failure.details
  return new RunnerFailure(failure.kind, redact(failure.message).slice(0, longest.message).trim(), {
    ...details,
    ...(body === undefined ? {} : { body: redact(body).slice(0, longest.body) }),
    ...(headers === undefined ? {} : { headers: redactHeaders(headers, redact) }),
    // The caller's own reason to abort is safe; an error of `fetch` may hold the request with its headers.
    ...(cause !== undefined && failure.kind === 'aborted' ? { cause } : {}),
  })
}

/** The same headers without secrets in their values. */
export function redactHeaders(
  headers: Readonly<Record<string, string>>,
  redact: (text: string) => string,
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, redact(value)]))
}
