import { RunnerFailure } from '../engine/runner-failure.ts'

/** Shorter ones are placeholders such as `x`, and would tear ordinary words apart. */
const shortest = 4

const mask = '[redacted]'

/** Makes a function that takes secrets out of a text, and also the beginning of one that the end of the text cuts off. */
export function redactor(secrets: readonly string[]): (text: string) => string {
  const known = [...new Set(secrets)].filter((secret) => secret.length >= shortest).sort((a, b) => b.length - a.length)
  return (text) => known.reduce((rest, secret) => withoutCutEnd(rest.replaceAll(secret, mask), secret), text)
}

function withoutCutEnd(text: string, secret: string): string {
  for (let length = Math.min(secret.length - 1, text.length); length >= shortest; length--) {
    if (text.endsWith(secret.slice(0, length))) return text.slice(0, -length) + mask
  }
  return text
}

/** The same failure without secrets in its message or details. */
export function redactFailure(failure: RunnerFailure, redact: (text: string) => string): RunnerFailure {
  const { body, cause, ...details } = failure.details
  return new RunnerFailure(failure.kind, redact(failure.message), {
    ...details,
    ...(body === undefined ? {} : { body: redact(body) }),
    // The caller's own reason to abort is safe; an error of `fetch` may hold the request with its headers.
    ...(cause !== undefined && failure.kind === 'aborted' ? { cause } : {}),
  })
}
