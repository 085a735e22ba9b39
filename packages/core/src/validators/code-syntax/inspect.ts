import type { TextSpan } from '../../answer/span.ts'
import { type Finding, fact, type IssueDraft, issue } from '../../contract/issue.ts'
import type { Locale } from '../../contract/locale.ts'
import { ParserUnavailable, type SyntaxFault } from '../../contract/syntax.ts'
import type { CheckContext } from '../../contract/validator.ts'
import { ValidatorUnavailable } from '../../contract/validator-unavailable.ts'
import { codeMessages } from './messages.ts'
import type { Snippet } from './snippet.ts'
import { judgeUnfenced } from './unfenced.ts'
import type { CodeVerdict, Verdicts } from './verdicts.ts'

/** Where the lines of a source start. */
function lineStarts(source: string): number[] {
  const starts = [0]
  for (const { index, 0: end } of source.matchAll(/\r\n|[\r\n]/g)) if (index + end.length < source.length) starts.push(index + end.length)
  return starts
}

/** Places the faults of a snippet; what a parser says of places that do not exist is moved to the nearest that does. */
class FaultPlaces {
  readonly #snippet: Snippet
  readonly #starts: readonly number[]

  constructor(snippet: Snippet) {
    this.#snippet = snippet
    this.#starts = lineStarts(snippet.source)
  }

  /** The line of a fault, from 1. */
  lineOf({ line }: SyntaxFault): number {
    return within(line, 1, this.#starts.length)
  }

  /** Where a fault is in the answer. */
  spanOf(fault: SyntaxFault): TextSpan {
    const start = this.#offset(fault.line, fault.column)
    const end = Math.max(start, this.#offset(fault.endLine, fault.endColumn))
    const { place, span } = this.#snippet
    const at = { start: place(start), end: Math.max(place(start), place(end)) }
    if (at.start < at.end) return at
    // What is missing is shown at the character before which it is missing, or else after which.
    if (at.start < span.end) return { ...at, end: at.start + (this.#isPair(start) ? 2 : 1) }
    return { ...at, start: Math.max(span.start, at.start - (this.#isPair(start - 2) ? 2 : 1)) }
  }

  #isPair(offset: number): boolean {
    return (this.#snippet.source.codePointAt(offset) ?? 0) > 0xffff
  }

  #offset(line: number, column: number): number {
    const known = within(line, 1, this.#starts.length)
    const start = this.#starts[known - 1] ?? 0
    const end = this.#lineEnd(known)
    // After the last line means its end.
    return line > this.#starts.length ? end : start + within(column, 1, end - start + 1) - 1
  }

  #lineEnd(line: number): number {
    const { source } = this.#snippet
    let end = this.#starts[line] ?? source.length
    while (end > (this.#starts[line - 1] ?? 0) && /[\r\n]/.test(source.charAt(end - 1))) end--
    return end
  }
}

function within(value: number, least: number, most: number): number {
  if (!(value > least)) return least
  return Math.min(Math.trunc(value), most)
}

/** So many faults of one answer are reported. */
const mostFaults = 20

/** How the faults of a block are reported. */
export type FaultWording = (fault: SyntaxFault, line: number, snippet: Snippet) => Pick<IssueDraft, 'message' | 'hint'>

/** The codes of issues with code. */
export type CodeFault = 'SYNTAX_ERROR' | 'CODE_NOT_FENCED' | 'WRONG_CODE_TAG'

/** The code of an answer. */
export interface FoundCode {
  readonly complete: readonly Snippet[]
  /** Whether there is more, which was cut off. */
  readonly isCut: boolean
}

/** Yields what a parser finds wrong with pieces of code; without any fault, one without a verdict leaves the answer unchecked. */
export async function* inspectCode(
  { complete: snippets, isCut }: FoundCode,
  verdicts: Verdicts,
  { signal, locale }: Pick<CheckContext, 'signal' | 'locale'>,
  tell: FaultWording,
): AsyncGenerator<Finding<CodeFault>> {
  const languages = new Set<string>()
  let blocks = snippets.length
  const issues: IssueDraft<CodeFault>[] = []
  let refused = isCut ? new ValidatorUnavailable('the code was cut off') : undefined
  for (const [index, verdict] of (await verdicts.ofAll(snippets, signal)).entries()) {
    const snippet = snippets[index]
    if (verdict instanceof ParserUnavailable) refused ??= verdict
    else if (snippet !== undefined && verdict.verdict !== 'unsupported') {
      const unfenced = snippet.isUnfenced && verdict.verdict === 'invalid' ? judgeUnfenced(snippet, verdict.trace, locale) : 'code'
      const drafts = unfenced === 'code' ? draftFaults(snippet, verdict, tell, locale) : unfenced
      if (unfenced === 'code' || drafts.length > 0) languages.add(snippet.language)
      else blocks--
      for (const draft of drafts) issues.push(draft)
    }
  }
  if (refused !== undefined && issues.length === 0) throw refused
  yield* issues.slice(0, mostFaults)
  yield fact('blocks', blocks)
  yield fact('languages', [...languages])
  yield fact('code', issues.length > 0 ? 'invalid' : languages.size > 0 ? 'valid' : blocks > 0 ? 'unsupported' : 'none')
}

/** The issues of one block. */
export function draftFaults(snippet: Snippet, verdict: CodeVerdict, tell: FaultWording, locale: Locale): IssueDraft<CodeFault>[] {
  if (verdict instanceof Error) return []
  if (verdict.verdict === 'mistagged') {
    const { number = 1, language, tag } = snippet
    const { holds } = verdict
    return [
      issue('WRONG_CODE_TAG', codeMessages[locale].mistagged(number, language, holds), {
        span: tag?.span ?? snippet.span,
        suggestion: holds,
      }),
    ]
  }
  return verdict.verdict === 'invalid' ? draftErrors(snippet, verdict.trace, tell) : []
}

function draftErrors(snippet: Snippet, trace: readonly SyntaxFault[], tell: FaultWording): IssueDraft<CodeFault>[] {
  const places = new FaultPlaces(snippet)
  const drafts = trace.slice(0, mostFaults).map((fault) => {
    const { suggestion } = fault
    const span = places.spanOf(fault)
    const { message, ...hint } = tell(fault, places.lineOf(fault), snippet)
    return issue('SYNTAX_ERROR', message, {
      ...hint,
      ...(span.start < span.end ? { span } : {}),
      ...(suggestion === undefined ? {} : { suggestion }),
    })
  })
  return drafts.sort((a, b) => (a.span?.start ?? 0) - (b.span?.start ?? 0))
}

/** How faults are reported in a locale. */
export function faultWording(locale: Locale): FaultWording {
  const say = codeMessages[locale]
  return ({ message, suggestion }, line, { language, number, source }) => ({
    message: say.fault({ line, language, source, ...(number === undefined ? {} : { block: number }) }, message),
    // A message that names it already needs no hint.
    ...(suggestion === undefined || message.includes(suggestion) ? {} : { hint: say.hint(suggestion) }),
  })
}
