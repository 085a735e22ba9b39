import { positionAt } from '@stickler/core/syntax'
import type { OxcError } from 'oxc-parser'
import { type Mistake, mistakeAt } from '../model-mistakes.ts'
import { quoted } from '../quoted.ts'
import { skipSpace } from '../skip-space.ts'
import { wordings } from './wordings.ts'

type Finding = Pick<OxcError, 'message' | 'labels' | 'helpMessage'>

/** Says what to do about an error of the parser. */
export function describe({ message, labels, helpMessage }: Finding, source: string): Mistake {
  const at = labels[0]?.start ?? 0
  const mistake = isAboutMeaning(message) ? undefined : mistakeAt(source, skipSpace(source, at), '//')
  if (mistake !== undefined) return mistake
  const opened = labels.find((label) => label.message === 'Opened here')
  const expected = /^Expected (`[^`]*`(?: or `[^`]*`)*) but found /.exec(message)
  if (expected !== null) return { message: expectation(expected[1] ?? '', tokenAt(source, at), opened, source) }
  for (const [pattern, word] of wordings) {
    const match = pattern.exec(message)
    if (match !== null) return word({ match, token: tokenAt(source, at) })
  }
  return { message: [message, helpMessage].flatMap((part) => (part ? [sentence(part)] : [])).join(' ') }
}

function expectation(wanted: string, found: string, opened: { readonly start: number } | undefined, source: string): string {
  const bracket = opened === undefined ? undefined : source.charAt(opened.start)
  if (found === '') {
    if (opened === undefined || bracket === undefined) return `Complete the code: it ends where ${wanted} must follow.`
    return `Close the \`${bracket}\` opened on line ${positionAt(source, opened.start).line}: the code ends before it is closed.`
  }
  const before = `Write ${wanted} before ${quoted(found)}`
  return opened === undefined
    ? `${before}.`
    : `${before}: the \`${bracket}\` opened on line ${positionAt(source, opened.start).line} is still open.`
}

/** Errors after the grammar: the token is code. */
function isAboutMeaning(message: string): boolean {
  return /already been declared|reserved|is not defined|strict mode|initializer|only be used in TypeScript/.test(message)
}

/** The word or sign at an offset; empty at the end of the code. */
function tokenAt(source: string, at: number): string {
  const token = /[\p{L}\p{N}_$]+|=>|\.{3}|[^\s]/uy
  token.lastIndex = skipSpace(source, at)
  return token.exec(source)?.[0] ?? ''
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}
