import { type Finding, fact, type IssueDraft, issue } from '../../contract/issue.ts'
import type { Locale } from '../../contract/locale.ts'
import type { Ports } from '../../contract/ports.ts'
import { ParserUnavailable, type SyntaxFault, type SyntaxParser, type SyntaxVerdict } from '../../contract/syntax.ts'
import type { CheckContext } from '../../contract/validator.ts'
import { ValidatorUnavailable } from '../../contract/validator-unavailable.ts'
import { FaultPlaces } from './faults.ts'
import { codeMessages } from './messages.ts'
import { isBlank } from './selection.ts'
import type { Snippet } from './snippet.ts'

/** So many faults of one answer are reported. */
const mostFaults = 20

/** How the faults of a block are told. */
export type Tell = (fault: SyntaxFault, line: number, snippet: Snippet) => Pick<IssueDraft, 'message' | 'hint'>

/** Yields what a parser finds wrong with pieces of code; without any fault, one without a verdict leaves the answer unchecked. */
export async function* inspectCode(
  snippets: readonly Snippet[],
  { ports, signal }: Pick<CheckContext, 'ports' | 'signal'>,
  tell: Tell,
): AsyncGenerator<Finding<'SYNTAX_ERROR'>> {
  const parser = snippets.length > 0 ? parserOf(ports) : undefined
  const languages = new Set<string>()
  const issues: IssueDraft<'SYNTAX_ERROR'>[] = []
  let refused: ParserUnavailable | undefined
  for (const snippet of snippets) {
    if (parser === undefined) break
    const verdict = await parse(parser, snippet, signal)
    if (verdict instanceof ParserUnavailable) {
      refused ??= verdict
      // A parser that is gone is not asked again for each block.
      if (verdict.reason !== 'too-large') break
      continue
    }
    if (verdict.verdict === 'unsupported') continue
    languages.add(snippet.language)
    if (verdict.verdict === 'invalid') issues.push(...draftFaults(snippet, verdict.trace, tell))
  }
  if (refused !== undefined && issues.length === 0) throw refused
  yield* issues.slice(0, mostFaults)
  yield fact('blocks', snippets.length)
  yield fact('languages', [...languages])
  yield fact('code', issues.length > 0 ? 'invalid' : languages.size > 0 ? 'valid' : snippets.length > 0 ? 'unsupported' : 'none')
}

/** Asks for the verdict on a snippet; what is empty is valid. */
export async function parse(parser: SyntaxParser, snippet: Snippet, signal: AbortSignal): Promise<SyntaxVerdict | ParserUnavailable> {
  if (snippet.number !== undefined && isBlank(snippet)) return { verdict: 'valid' }
  try {
    return await parser.parse(snippet.language, snippet.source, signal)
  } catch (error) {
    if (error instanceof ParserUnavailable) return error
    throw error
  }
}

/** The issues of one block. */
export function draftFaults(snippet: Snippet, trace: readonly SyntaxFault[], tell: Tell): IssueDraft<'SYNTAX_ERROR'>[] {
  const places = new FaultPlaces(snippet)
  return trace.slice(0, mostFaults).map((fault) => {
    const { suggestion } = fault
    return issue('SYNTAX_ERROR', '', {
      ...tell(fault, places.lineOf(fault), snippet),
      span: places.spanOf(fault),
      ...(suggestion === undefined ? {} : { suggestion }),
    })
  })
}

/** How faults are told in the words of a locale. */
export function tellIn(locale: Locale): Tell {
  const say = codeMessages[locale]
  return ({ message, suggestion }, line, { language, number }) => ({
    message: say.fault({ line, language, ...(number === undefined ? {} : { block: number }) }, message),
    ...(suggestion === undefined ? {} : { hint: say.hint(suggestion) }),
  })
}

function parserOf({ parser }: Ports): SyntaxParser {
  if (parser) return parser
  throw new ValidatorUnavailable('code_syntax cannot parse code: pass the port `parser`, such as localParser() from @stickler/parser.')
}
