import type { ActiveValidator } from '../../contract/configuration/read-checks.ts'
import type { Issue } from '../../contract/issue.ts'
import type { Locale } from '../../contract/locale.ts'
import type { CodeEntry } from '../../contract/validator.ts'
import type { Complexity } from './report.ts'

/** The engine's own code for answers that go beyond a limit of what is checked. */
export const complexityCodes = {
  TOO_COMPLEX: {
    severity: 'error',
    when: 'The answer exceeds a limit: a header of more than 65536 characters, brackets nested too deeply, more than 1000 tool calls, a value that costs too much to check.',
    fix: 'Write a smaller or flatter answer; the message names the limit.',
  },
} as const satisfies Record<string, CodeEntry>

const words: Readonly<Record<Locale, (reason: string) => readonly [message: string, hint: string]>> = {
  en: (reason) => [`Write a simpler answer; ${reason}.`, 'Leave out what is not needed, and nest less deeply'],
  de: (reason) => [`Schreibe eine einfachere Antwort; ${reason}.`, 'Lass weg, was nicht gebraucht wird, und verschachtele weniger tief'],
}

/** The issue of an answer that is too complex for one of its validators. */
export function complexityIssue(
  { name, severity }: Pick<ActiveValidator, 'name' | 'severity'>,
  { tooComplex }: Complexity,
  locale: Locale,
): Issue {
  const [message, hint] = words[locale](tooComplex[locale])
  return { code: 'TOO_COMPLEX', severity: severity ?? 'error', validator: name, message, hint }
}

/** Whether an issue reports that an answer is too complex, which no repair corrects. */
export function isTooComplex({ code }: Pick<Issue, 'code'>): boolean {
  return code === 'TOO_COMPLEX'
}
