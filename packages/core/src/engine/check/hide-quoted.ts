import { hidden } from '../../contract/certificate.ts'
import type { ActiveValidator } from '../../contract/configuration/read-checks.ts'
import type { Issue } from '../../contract/issue.ts'

/** A shorter beginning of a secret, where a quote is cut, tells nothing. */
const shortest = 4

/** The issues without the secrets that others quote and a validator such as `sensitive` has found: in `found`, the issues of this text. */
export function hideQuoted(
  validators: readonly ActiveValidator[],
  text: string,
  issues: readonly Issue[],
  found: readonly Issue[] = issues,
): readonly Issue[] {
  if (issues.length === 0 || !validators.some(({ prepared }) => prepared.secret)) return issues
  const names = new Set(validators.flatMap(({ name, prepared }) => (prepared.secret ? [name] : [])))
  const spans = found.flatMap(({ validator, span }) => (names.has(validator) && span ? [span] : []))
  const values = [...new Set(spans.map(({ start, end }) => text.slice(start, end)))].filter((value) => value.length >= shortest)
  if (values.length === 0) return issues
  const hide = (said: string): string => values.reduce(hideOne, said)
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

function hideOne(said: string, value: string): string {
  let shown = said
  // As it is, and as a quote writes it.
  for (const form of new Set([value, JSON.stringify(value).slice(1, -1)])) {
    shown = shown.replaceAll(form, hidden)
    const cut = shown.indexOf('…')
    const before = shown.slice(0, Math.max(0, cut))
    for (let length = Math.min(form.length, before.length); length >= shortest; length--)
      if (before.endsWith(form.slice(0, length))) {
        shown = `${before.slice(0, -length)}${hidden}${shown.slice(cut)}`
        break
      }
  }
  return shown
}
