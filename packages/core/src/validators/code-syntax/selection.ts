import type { Answer } from '../../answer/answer.ts'
import type { FenceReading } from '../../answer/markdown/block-scanner.ts'
import { familyOf } from '../../answer/markdown/code-language.ts'
import { hasCodeLine } from './anywhere/line-kind.ts'
import { type LooseCode, looseCode } from './anywhere/loose-code.ts'
import { certainLanguage } from './guess/certain-language.ts'
import { guessLanguage } from './guess/guess-language.ts'
import { looksLikeCode } from './looks-like-code.ts'
import { hasCode, meantBlocks, type Snippet, snippetsIn, wholeSnippet } from './snippet.ts'

/** Which code is checked. */
export interface CodeChoice {
  /** The language that the answer's code must be in. */
  readonly language?: string | undefined
  /** Blocks in these languages are checked. */
  readonly languages?: readonly string[] | undefined
  /** Whether the whole text is the code. */
  readonly whole: boolean
  /** Whether code outside of fences is looked for too. */
  readonly anywhere?: boolean
  /** Whether a text without blocks is checked in the language that it seems to be in. */
  readonly guess?: boolean
}

/** Chooses the code of an answer that is checked, block by block in text order; a stream and the whole check share it. */
export class CodeSelection {
  readonly #choice: CodeChoice
  #found = false
  #first: Snippet | undefined

  constructor(choice: CodeChoice) {
    this.#choice = choice
  }

  /** Whether a block in the language has been found, so that no other one is meant. */
  get hasFound(): boolean {
    return this.#found
  }

  /** Whether no block has been found that could be checked. */
  get isEmpty(): boolean {
    return !this.#found && this.#first === undefined
  }

  /** Whether a block in a language could be checked, whatever it holds; one without a tag as soon as its language is certain. */
  mayTake(language: string): boolean {
    return !this.#choice.whole && (language === '' || this.takes(language))
  }

  /** Whether a block in a language is checked, or may be. */
  takes(language: string): boolean {
    const { language: wanted, languages, whole } = this.#choice
    if (whole) return false
    if (languages !== undefined) return languages.includes(familyOf(language))
    return wanted === undefined ? language !== '' : familyOf(language) === wanted || this.isEmpty || this.#isUntagged(language)
  }

  /** A block without a tag in the language that it is certainly written in, where that one is checked. */
  recognise(snippet: Snippet): Snippet {
    if (snippet.language !== '') return snippet
    const certain = certainLanguage(snippet.source)
    const { language: wanted, languages = wanted === undefined ? undefined : [wanted] } = this.#choice
    // JavaScript is TypeScript too.
    const language = certain === 'javascript' && languages?.includes('typescript') ? 'typescript' : certain
    if (language === undefined || !(languages?.includes(familyOf(language)) ?? true)) return snippet
    return { ...snippet, language, isRecognised: true }
  }

  /**
   * Says whether a block is checked, is not, or may still be: the first block counts when none is in the language.
   * Beside it, a block without a tag is an excerpt or an output when it does not parse.
   */
  take(snippet: Snippet): 'checked' | 'open' | 'doubtful' | 'ignored' {
    if (!this.takes(snippet.language)) return 'ignored'
    const { language } = this.#choice
    if (!this.isEmpty && familyOf(snippet.language) !== language && language !== undefined)
      return hasCodeLine(snippet.source) ? 'doubtful' : 'ignored'
    if (language === undefined) return 'checked'
    if (familyOf(snippet.language) === language) {
      // A block without code, such as a lone comment, does not replace another one.
      this.#found ||= hasCode(snippet)
      return 'checked'
    }
    if (isBlank(snippet)) return 'ignored'
    this.#first = snippet
    return 'open'
  }

  /** The first block, when it turned out not to be the one that is meant and may be code nevertheless. */
  passedOver(): Snippet | undefined {
    const first = this.#first
    if (!this.#found || first === undefined || !this.#isUntagged(first.language) || !hasCodeLine(first.source)) return undefined
    this.#first = undefined
    return this.doubt(first)
  }

  /** A block that is checked in the language, and may be something else. */
  doubt(snippet: Snippet): Snippet {
    return { ...snippet, language: this.#choice.language ?? snippet.language, isDoubtful: true }
  }

  #isUntagged(language: string): boolean {
    return this.#choice.anywhere === true && language === ''
  }

  /** The code that is checked only because no block was in the language; asked at the end of the text. */
  rest(text: string, bodyStart: number): Snippet | undefined {
    const { language, whole, anywhere } = this.#choice
    if (language === undefined || this.#found) return undefined
    if (this.#first !== undefined) return { ...this.#first, language }
    const body = text.slice(bodyStart)
    // An empty text is not JSON.
    const isMissing = language === 'json' && body.trim() === ''
    return whole || isMissing || (!anywhere && looksLikeCode(body, language)) ? wholeSnippet(text, bodyStart, language) : undefined
  }
}

/** Whether there is nothing but white space. */
export function isBlank({ source }: Snippet): boolean {
  return source.trim() === ''
}

/** Chooses from an answer the code that is checked, in text order. */
export function selectCode(answer: Answer, choice: CodeChoice): Snippet[] {
  if (choice.guess && meantBlocks(answer.text).length === 0) return guessedCode(answer)
  const selection = new CodeSelection(choice)
  const blocks = choice.whole ? [] : snippetsIn(answer, fencesOf(choice))
  const checked = blocks.flatMap((block) => {
    const snippet = selection.recognise(block)
    const taken = selection.take(snippet)
    return taken === 'checked' ? [snippet] : taken === 'doubtful' ? [selection.doubt(snippet)] : []
  })
  const passed = selection.passedOver()
  if (passed !== undefined) checked.push(passed)
  const rest = selection.rest(answer.text, answer.bodyStart)
  // A model that only calls tools has written nothing.
  if (rest?.source.trim() === '' && answer.isBetween) return []
  const fenced = rest === undefined ? checked : [...checked, rest]
  const { found, mentions } = choice.anywhere && choice.language !== undefined ? looseIn(answer, choice.language, selection) : none
  const whole = [...fenced, ...found]
  const all = whole.some(hasCode) ? whole : [...whole, ...mentions]
  return all.sort((one, other) => one.span.start - other.span.start)
}

const none: LooseCode = { found: [], mentions: [] }

/** How the fences of an answer are read. */
export function fencesOf({ anywhere }: CodeChoice): FenceReading {
  return anywhere ? 'loose' : 'meant'
}

function looseIn(answer: Answer, language: string, selection: CodeSelection): LooseCode {
  return answer.unclosedReasoning ? none : looseCode(answer, meantBlocks(answer.text, 'loose'), language, !selection.isEmpty)
}

function guessedCode({ text, bodyStart }: Answer): Snippet[] {
  const language = guessLanguage(text.slice(bodyStart))
  return language === undefined ? [] : [wholeSnippet(text, bodyStart, language)]
}
