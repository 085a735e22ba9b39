import { type Certificate, hidden } from '../../contract/certificate.ts'
import type { ActiveValidator } from '../../contract/configuration/read-checks.ts'
import type { Issue } from '../../contract/issue.ts'
import type { Unchecked } from './report.ts'

/** A shorter beginning of a secret tells nothing. */
const shortest = 4

/** The issues without the secrets that others quote and a validator such as `sensitive` has found: in `found`, the issues of this text. */
export function hideQuoted(
  validators: readonly ActiveValidator[],
  text: string,
  issues: readonly Issue[],
  found: readonly Issue[] = issues,
): readonly Issue[] {
  const names = issues.length === 0 ? none : secretValidators(validators)
  const hide = hiding(names, text, found)
  if (hide === undefined) return issues
  return issues.map((issue) => {
    if (names.has(issue.validator)) return issue
    const { message, hint, suggestion, path } = issue
    return {
      ...issue,
      message: hide(message),
      ...(path !== undefined && { path: path.map((part) => (typeof part === 'string' ? hide(part) : part)) }),
      ...(hint !== undefined && { hint: hide(hint) }),
      ...(suggestion !== undefined && { suggestion: hide(suggestion) }),
    }
  })
}

/** What could not be checked, without the secrets that its messages quote; of `found`, the issues of this text. */
export function hideUnchecked(
  validators: readonly ActiveValidator[],
  text: string,
  unchecked: readonly Unchecked[],
  found: readonly Issue[],
): readonly Unchecked[] {
  const hide = unchecked.length === 0 ? undefined : hiding(secretValidators(validators), text, found)
  return hide === undefined ? unchecked : unchecked.map((one) => ({ ...one, message: hide(one.message) }))
}

/** The changes without the secrets that they quote, but for those that take them out; of `found`, the issues of this text. */
export function hideChanged(
  validators: readonly ActiveValidator[],
  text: string,
  certificates: readonly Certificate[],
  found: readonly Issue[],
): readonly Certificate[] {
  const hide = certificates.length === 0 ? undefined : hiding(secretValidators(validators), text, found)
  return hide === undefined ? certificates : certificates.map((certificate) => hideIn(certificate, hide))
}

/** Changes as they may be shown: those that take secrets out without these, which are not in the others either. */
export function withoutSecrets(certificates: readonly Certificate[]): readonly Certificate[] {
  if (!certificates.some(({ secret }) => secret)) return certificates
  const hide = hidingAll(certificates.filter(({ secret }) => secret).map(({ before }) => before))
  return certificates.map((certificate) => (certificate.secret ? { ...certificate, before: hidden } : hideIn(certificate, hide)))
}

function hideIn(certificate: Certificate, hide: (said: string) => string): Certificate {
  const { secret, before, after, path, calls } = certificate
  if (secret) return certificate
  return {
    ...certificate,
    before: hide(before),
    after: hide(after),
    ...(path !== undefined && { path: path.map((part) => (typeof part === 'string' ? hide(part) : part)) }),
    ...(calls !== undefined && { calls: calls.map((call) => ({ ...call, arguments: hide(call.arguments) })) }),
  }
}

/** The names of the validators that find secrets. */
export function secretValidators(validators: readonly ActiveValidator[]): ReadonlySet<string> {
  return validators.some(({ prepared }) => prepared.secret)
    ? new Set(validators.flatMap(({ name, prepared }) => (prepared.secret ? [name] : [])))
    : none
}

const none: ReadonlySet<string> = new Set()

/** Takes what these validators have found out of a message; undefined when it is nothing. */
function hiding(names: ReadonlySet<string>, text: string, found: readonly Issue[]): ((said: string) => string) | undefined {
  if (names.size === 0) return undefined
  const spans = found.flatMap(({ validator, span }) => (names.has(validator) && span ? [span] : []))
  return spans.length === 0 ? undefined : hidingAll(spans.map(({ start, end }) => text.slice(start, end)))
}

function hidingAll(secrets: readonly string[]): (said: string) => string {
  const values = [...new Set(secrets)].filter((value) => value.length >= shortest)
  return (said) => values.reduce(hideOne, said)
}

function hideOne(said: string, value: string): string {
  let shown = said
  // As it is, and as a quote writes it.
  for (const form of new Set([value, JSON.stringify(value).slice(1, -1)])) shown = hideForm(shown, form)
  return shown
}

/** Hides a text, its beginning where that is long, and a short beginning where a quote may have been cut. */
function hideForm(said: string, form: string): string {
  const head = form.slice(0, shortest)
  const kept: string[] = []
  let from = 0
  for (let at = said.indexOf(head); at >= 0; at = said.indexOf(head, at)) {
    let end = at + shortest
    while (end - at < form.length && said[end] === form[end - at]) end++
    if (end - at === form.length || end - at >= long || end === said.length || cuts.has(said.charAt(end))) {
      kept.push(said.slice(from, at), hidden)
      from = end
    }
    at = end
  }
  return kept.length === 0 ? said : kept.join('') + said.slice(from)
}

/** So much of the beginning of a secret tells something wherever it is. */
const long = 8
/** What follows a quote that was cut, at its end or after a whole word. */
const cuts: ReadonlySet<string> = new Set(['…', '"', "'", '`', '.', ',', ';'])
