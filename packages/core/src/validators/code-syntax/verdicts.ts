import { familyOf } from '../../answer/markdown/code-language.ts'
import type { Ports } from '../../contract/ports.ts'
import { quote } from '../../contract/quote.ts'
import { ParserUnavailable, type SyntaxParser, type SyntaxVerdict } from '../../contract/syntax.ts'
import type { CheckContext } from '../../contract/validator.ts'
import { type NoVerdict, ValidatorUnavailable } from '../../contract/validator-unavailable.ts'
import { type Allowances, namesStandIn, wholesOf, withoutPlaceholders } from './allowances.ts'
import { certainLanguage } from './guess/certain-language.ts'
import { certainNotation } from './guess/certain-notation.ts'
import { isOtherDialect } from './guess/sql-dialect.ts'
import { isBlank } from './selection.ts'
import type { Snippet } from './snippet.ts'

/** So many blocks are parsed at once. */
const concurrency = 4

/** Reasons that say nothing about the other blocks. */
const aboutCode: ReadonlySet<NoVerdict> = new Set(['too-large', 'too-hard', 'unsupported'])

/** Under this key a run keeps its verdicts. */
const memoryKey = Symbol('verdicts on code')

/** Languages in which nothing is not right. */
const needsText: ReadonlySet<string> = new Set(['json'])

type VerdictContext = Pick<CheckContext, 'ports' | 'memory' | 'uncounted' | 'attempt'>

type Known = Map<string, SyntaxVerdict | ParserUnavailable>

/** What is known of a block: the verdict of a parser, that it holds another language than its tag says, or why nothing is. */
export type CodeVerdict = SyntaxVerdict | { readonly verdict: 'mistagged'; readonly holds: string } | ParserUnavailable

/** How a contract has its code judged. */
export interface Judging extends Allowances {
  /** Whether the languages are named by the contract: an unknown one means no verdict. */
  readonly isNamed: boolean
  /** The dialect of SQL; without one, SQL that is not PostgreSQL's has no verdict. */
  readonly dialect?: string | undefined
  /** Which languages a tag may be changed to. */
  readonly retags: 'any' | 'bash' | 'none'
}

/** The verdicts of a parser on the code of one run: what a stream has asked is not asked again at its end, also when there was no verdict. */
export class Verdicts {
  readonly #parser: SyntaxParser | undefined
  readonly #uncounted: CheckContext['uncounted']
  readonly #known: Known
  readonly #judging: Judging
  readonly #attempt: number

  constructor({ ports, memory, uncounted, attempt }: VerdictContext, judging: Judging) {
    this.#attempt = attempt ?? 0
    this.#uncounted = uncounted
    this.#parser = ports.parser
    this.#judging = judging
    const known = (memory?.get(memoryKey) as Known | undefined) ?? new Map<string, SyntaxVerdict | ParserUnavailable>()
    memory?.set(memoryKey, known)
    this.#known = known
  }

  /** The verdict on a snippet, or why there is none; a block with nothing in it is valid. */
  async of(snippet: Snippet, signal: AbortSignal): Promise<CodeVerdict> {
    const { source } = snippet
    if (snippet.number !== undefined && isBlank(snippet) && !needsText.has(snippet.language)) return { verdict: 'valid' }
    const { isNamed, dialect } = this.#judging
    const isDialect = snippet.language === 'sql' && dialect !== undefined && dialect !== 'postgresql'
    const language = isDialect ? dialect : snippet.language
    const verdict = await this.on(language, source, signal)
    if (verdict instanceof Error || verdict.verdict === 'valid') return verdict
    if (verdict.verdict === 'invalid') {
      if (language !== 'sql' || dialect !== undefined || !isOtherDialect(source)) return (await this.#retagged(snippet, signal)) ?? verdict
      if (!isNamed) return { verdict: 'unsupported' }
      return new ParserUnavailable('the SQL is in another dialect than PostgreSQL', 'unsupported')
    }
    return isNamed || isDialect ? new ParserUnavailable(`the parser does not know ${quote(language)}`, 'unsupported') : verdict
  }

  /** The verdicts on snippets, a few at a time; a parser that is gone is not asked for the rest. */
  async ofAll(snippets: readonly Snippet[], signal: AbortSignal): Promise<readonly CodeVerdict[]> {
    const verdicts: CodeVerdict[] = []
    const waiting = snippets.entries()
    let gone: ParserUnavailable | undefined
    const work = async (): Promise<void> => {
      // All workers draw from the same iterator.
      for (const [index, snippet] of waiting) {
        signal.throwIfAborted()
        const verdict = gone ?? (await this.of(snippet, signal))
        if (verdict instanceof ParserUnavailable && !aboutCode.has(verdict.reason)) gone ??= verdict
        verdicts[index] = verdict
      }
    }
    await Promise.all(Array.from({ length: concurrency }, work))
    return verdicts
  }

  /** The verdict on source code, with what is allowed in it. */
  async on(language: string, source: string, signal: AbortSignal): Promise<SyntaxVerdict | ParserUnavailable> {
    const { placeholders, fragments } = this.#judging
    const strict = await this.#ask(language, source, signal)
    if (strict instanceof Error || strict.verdict !== 'invalid') return strict
    const text = placeholders ? withoutPlaceholders(language, source) : source
    const filled = text === source ? strict : await this.#ask(language, text, signal)
    if (filled instanceof Error || filled.verdict !== 'invalid') return filled
    for (const whole of fragments ? wholesOf(language, text) : []) {
      const verdict = await this.#ask(language, whole, signal)
      if (!(verdict instanceof Error) && verdict.verdict === 'valid') return verdict
    }
    return filled.trace.some((fault) => namesStandIn(fault, source)) ? strict : filled
  }

  /** What is known of code that its own language rejects and another one accepts. */
  async #retagged({ tag, language, source, isRecognised = false }: Snippet, signal: AbortSignal): Promise<CodeVerdict | undefined> {
    const { retags } = this.#judging
    if (!isRecognised && tag?.language !== language) return undefined
    // Both are recognised alike.
    const typed = language === 'javascript' ? ['typescript'] : []
    for (const holds of isRecognised ? typed : [certainNotation(source, language) ?? certainLanguage(source), ...typed]) {
      if (holds === undefined || familyOf(holds) === familyOf(language) || !(isRecognised || retags === 'any' || retags === holds)) continue
      const verdict = await this.on(holds, source, signal)
      if (!(verdict instanceof Error) && verdict.verdict === 'valid') return isRecognised ? verdict : { verdict: 'mistagged', holds }
    }
    return undefined
  }

  async #ask(language: string, source: string, signal: AbortSignal): Promise<SyntaxVerdict | ParserUnavailable> {
    // A retry has a verdict of its own, even if it repeats the answer.
    const key = `${this.#attempt} ${language}\n${source}`
    const known = this.#known.get(key)
    if (known !== undefined) return known
    try {
      const parser = parserOf(this.#parser)
      const loading = parser.load?.(language, signal)
      if (loading !== undefined) await (this.#uncounted?.(loading) ?? loading)
      const verdict = await parser.parse(language, source, signal)
      this.#known.set(key, verdict)
      return verdict
    } catch (error) {
      if (!(error instanceof ParserUnavailable)) throw error
      // Who gave up has not learned anything about the parser.
      if (error.reason !== 'aborted') this.#known.set(key, error)
      return error
    }
  }
}

function parserOf(parser: Ports['parser']): SyntaxParser {
  if (parser) return parser
  throw new ValidatorUnavailable('code_syntax cannot parse code: pass the port `parser`, such as localParser() from @stickler/parser.')
}
