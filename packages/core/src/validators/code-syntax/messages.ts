import type { Locale } from '../../contract/locale.ts'
import { quoteJsonAtMost } from '../../schema/evaluate/show.ts'

/** Longer messages of a parser are cut. */
const longestMessage = 200

interface CodeMessages {
  instruct(languages: readonly string[], whole: boolean): string
  /** What is wrong in a line; `block` counts from 1 where the answer has several. */
  fault(place: { readonly line: number; readonly language: string; readonly block?: number }, said: string): string
  hint(suggestion: string): string
  /** What to do when no code was recognised in a file. */
  readonly noCode: string
}

/** The words of a parser, which may quote the code, as one bounded string. */
function said(message: string): string {
  return quoteJsonAtMost(message.replace(/\.$/, ''), longestMessage)
}

/** How the language of a whole text is named. */
const example = 'code_syntax={"language":"python","whole":true}'

/** What the messages and hints on code say, by language. */
export const codeMessages: Readonly<Record<Locale, CodeMessages>> = {
  en: {
    instruct: (languages, whole) => {
      if (whole) return `Answer with ${languages.join()} code alone, which must parse.`
      return languages.length === 0
        ? 'Write only code that parses, in fences that name its language.'
        : `Write only ${languages.join(' or ')} code that parses, in fences that name the language.`
    },
    fault: ({ line, language, block }, message) =>
      `Correct line ${line} of ${block === undefined ? `the ${language} code` : `code block ${block} (${language})`}: ${said(message)}.`,
    hint: (suggestion) => `Write ${said(suggestion)} instead`,
    noCode: `no code was recognised, so none was checked; put code in a fence with its language, or name it: ${example}`,
  },
  de: {
    instruct: (languages, whole) => {
      if (whole) return `Antworte nur mit Code in ${languages.join()}, der sich parsen lässt.`
      return languages.length === 0
        ? 'Schreibe nur Code, der sich parsen lässt, in Codeblöcken, die seine Sprache nennen.'
        : `Schreibe nur Code in ${languages.join(' oder ')}, der sich parsen lässt, in Codeblöcken, die die Sprache nennen.`
    },
    // The parser speaks English.
    fault: ({ line, language, block }, message) =>
      `Korrigiere Zeile ${line} ${block === undefined ? `des Codes in ${language}` : `in Codeblock ${block} (${language})`}: ${said(message)}`,
    hint: (suggestion) => `Schreibe stattdessen ${said(suggestion)}`,
    noCode: `Kein Code wurde erkannt, also keiner geprüft; schreibe Code in einen Codeblock mit seiner Sprache, oder nenne sie: ${example}`,
  },
}
