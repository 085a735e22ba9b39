import type { Answer } from '../../answer/answer.ts'
import { familyOf } from '../../answer/markdown/code-language.ts'
import { certainLanguage } from './guess/certain-language.ts'
import type { CodeLanguage } from './guess/code-language.ts'
import { guessLanguage } from './guess/guess-language.ts'
import { looksLikeCode } from './looks-like-code.ts'
import { hasCode, meantBlocks, type Snippet, snippetsIn, wholeSnippet } from './snippet.ts'
import { hasStatement } from './unfenced.ts'

/** Which code is checked. */
export interface CodeChoice {
  /** The language that the answer's code must be in. */
  readonly language?: string | undefined
  /** Blocks in these languages are checked. */
  readonly languages?: readonly string[] | undefined
  /** Whether the whole text is the code. */
  readonly whole: boolean
  /** Whether a block without a tag is in the language, and the parser says whether a text without blocks is. */
  readonly judge?: boolean
  /** Set when a text without blocks is checked in the language that it seems to be in: the languages that it may be in beside those of the library. */
  readonly guess?: readonly CodeLanguage[]
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
    return wanted === undefined
      ? language !== ''
      : familyOf(language) === wanted || this.isEmpty || (this.#choice.judge === true && language === '')
  }

  /** A block without a tag in the language that it is certainly written in, where that one is checked. */
  recognise(snippet: Snippet): Snippet {
    if (snippet.language !== '') return snippet
    if (this.#choice.judge) return { ...snippet, language: this.#choice.language ?? '' }
    const certain = certainLanguage(snippet.source)
    const { language: wanted, languages = wanted === undefined ? undefined : [wanted] } = this.#choice
    // JavaScript is TypeScript too.
    const language = certain === 'javascript' && languages?.includes('typescript') ? 'typescript' : certain
    if (language === undefined || !(languages?.includes(familyOf(language)) ?? true)) return snippet
    return { ...snippet, language, isRecognised: true }
  }

  /** Says whether a block is checked, is not, or may still be: the first block counts when none is in the language. */
  take(snippet: Snippet): 'checked' | 'open' | 'ignored' {
    if (!this.takes(snippet.language)) return 'ignored'
    const { language } = this.#choice
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

  /** The code that is checked only because no block was in the language; asked at the end of the text. */
  rest(text: string, bodyStart: number): Snippet | undefined {
    const { language, whole, judge } = this.#choice
    if (language === undefined || this.#found) return undefined
    if (this.#first !== undefined) return { ...this.#first, language }
    const body = text.slice(bodyStart)
    if (judge) return hasStatement(body) ? { ...wholeSnippet(text, bodyStart, language), isUnfenced: true } : undefined
    // An empty text is not JSON.
    const isMissing = language === 'json' && body.trim() === ''
    return whole || isMissing || looksLikeCode(body, language) ? wholeSnippet(text, bodyStart, language) : undefined
  }
}

/** Whether there is nothing but white space. */
export function isBlank({ source }: Snippet): boolean {
  return source.trim() === ''
}

/** Chooses from an answer the code that is checked, in text order. */
export function selectCode(answer: Answer, choice: CodeChoice): Snippet[] {
  if (choice.guess && meantBlocks(answer.text).length === 0) return guessedCode(answer, choice.guess)
  const selection = new CodeSelection(choice)
  const blocks = choice.whole ? [] : snippetsIn(answer)
  const checked = blocks.map((block) => selection.recognise(block)).filter((snippet) => selection.take(snippet) === 'checked')
  const rest = selection.rest(answer.text, answer.bodyStart)
  // A model that only calls tools has written nothing.
  if (rest?.source.trim() === '' && answer.isBetween) return []
  return rest === undefined ? checked : [...checked, rest].sort((one, other) => one.span.start - other.span.start)
}

function guessedCode({ text, bodyStart }: Answer, known: readonly CodeLanguage[]): Snippet[] {
  const language = guessLanguage(text.slice(bodyStart), known)
  return language === undefined ? [] : [wholeSnippet(text, bodyStart, language)]
}
