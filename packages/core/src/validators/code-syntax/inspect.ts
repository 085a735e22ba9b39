import { type Finding, fact, type IssueDraft, issue } from '../../contract/issue.ts'
import type { Locale } from '../../contract/locale.ts'
import { quote } from '../../contract/quote.ts'
import { ParserUnavailable, type SyntaxFault } from '../../contract/syntax.ts'
import type { CheckContext } from '../../contract/validator.ts'
import { ValidatorUnavailable } from '../../contract/validator-unavailable.ts'
import { FaultPlaces } from './faults.ts'
import { codeMessages } from './messages.ts'
import type { Snippet } from './snippet.ts'
import type { Verdicts } from './verdicts.ts'

/** So many faults of one answer are reported. */
const mostFaults = 20

/** How the faults of a block are reported. */
export type Tell = (fault: SyntaxFault, line: number, snippet: Snippet) => Pick<IssueDraft, 'message' | 'hint'>

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
  { signal }: Pick<CheckContext, 'signal'>,
  tell: Tell,
): AsyncGenerator<Finding<'SYNTAX_ERROR'>> {
  const languages = new Set<string>()
  const issues: IssueDraft<'SYNTAX_ERROR'>[] = []
  let refused = isCut ? new ValidatorUnavailable('the code was cut off') : undefined
  for (const [index, verdict] of (await verdicts.ofAll(snippets, signal)).entries()) {
    const snippet = snippets[index]
    if (verdict instanceof ParserUnavailable) refused ??= verdict
    else if (snippet?.isDoubtful && verdict.verdict === 'invalid')
      refused ??= new ValidatorUnavailable(`${quote(snippet.source.trim())} may be code`)
    else if (snippet !== undefined && verdict.verdict !== 'unsupported') {
      languages.add(snippet.language)
      if (verdict.verdict === 'invalid') for (const draft of draftFaults(snippet, verdict.trace, tell)) issues.push(draft)
    }
  }
  if (refused !== undefined && issues.length === 0) throw refused
  yield* issues.slice(0, mostFaults)
  yield fact('blocks', snippets.length)
  yield fact('languages', [...languages])
  yield fact('code', issues.length > 0 ? 'invalid' : languages.size > 0 ? 'valid' : snippets.length > 0 ? 'unsupported' : 'none')
}

/** The issues of one block. */
export function draftFaults(snippet: Snippet, trace: readonly SyntaxFault[], tell: Tell): IssueDraft<'SYNTAX_ERROR'>[] {
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
export function tellIn(locale: Locale): Tell {
  const say = codeMessages[locale]
  return ({ message, suggestion }, line, { language, number }) => ({
    message: say.fault({ line, language, ...(number === undefined ? {} : { block: number }) }, message),
    // A message that names it already needs no hint.
    ...(suggestion === undefined || message.includes(suggestion) ? {} : { hint: say.hint(suggestion) }),
  })
}
