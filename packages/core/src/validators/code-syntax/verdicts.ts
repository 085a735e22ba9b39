import type { Ports } from '../../contract/ports.ts'
import { quote } from '../../contract/quote.ts'
import { ParserUnavailable, type SyntaxParser, type SyntaxVerdict } from '../../contract/syntax.ts'
import type { CheckContext } from '../../contract/validator.ts'
import { type NoVerdict, ValidatorUnavailable } from '../../contract/validator-unavailable.ts'
import { isBlank } from './selection.ts'
import type { Snippet } from './snippet.ts'

/** So many blocks are parsed at once. */
const concurrency = 4

/** Reasons that say nothing about the other blocks. */
const aboutCode: ReadonlySet<NoVerdict> = new Set(['too-large', 'too-hard', 'unsupported'])

/** Under this key a run keeps its verdicts. */
const memoryKey = Symbol('verdicts on code')

type VerdictContext = Pick<CheckContext, 'ports' | 'memory' | 'uncounted' | 'attempt'>

type Known = Map<string, SyntaxVerdict | ParserUnavailable>

/** The verdicts of a parser on the code of one run: what a stream has asked is not asked again at its end, also when there was no verdict. */
export class Verdicts {
  readonly #parser: SyntaxParser | undefined
  readonly #uncounted: CheckContext['uncounted']
  readonly #known: Known
  readonly #isNamed: boolean
  readonly #attempt: number

  /** With `isNamed` the languages are named by a contract: an unknown one means no verdict. */
  constructor({ ports, memory, uncounted, attempt }: VerdictContext, isNamed: boolean) {
    this.#attempt = attempt ?? 0
    this.#uncounted = uncounted
    this.#parser = ports.parser
    this.#isNamed = isNamed
    const known = (memory?.get(memoryKey) as Known | undefined) ?? new Map<string, SyntaxVerdict | ParserUnavailable>()
    memory?.set(memoryKey, known)
    this.#known = known
  }

  /** The verdict on a snippet, or why there is none; a block with nothing in it is valid. */
  async of(snippet: Snippet, signal: AbortSignal): Promise<SyntaxVerdict | ParserUnavailable> {
    if (snippet.number !== undefined && isBlank(snippet)) return { verdict: 'valid' }
    const { language, source } = snippet
    const verdict = await this.on(language, source, signal)
    const isUnknown = !(verdict instanceof Error) && verdict.verdict === 'unsupported'
    return isUnknown && this.#isNamed ? new ParserUnavailable(`the parser does not know ${quote(language)}`, 'unsupported') : verdict
  }

  /** The verdicts on snippets, a few at a time; a parser that is gone is not asked for the rest. */
  async ofAll(snippets: readonly Snippet[], signal: AbortSignal): Promise<readonly (SyntaxVerdict | ParserUnavailable)[]> {
    const verdicts: (SyntaxVerdict | ParserUnavailable)[] = []
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

  /** The verdict on source code. */
  async on(language: string, source: string, signal: AbortSignal): Promise<SyntaxVerdict | ParserUnavailable> {
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
