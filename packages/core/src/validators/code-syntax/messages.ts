import type { Locale } from '../../contract/locale.ts'
import { parserWords, quotedCode } from './parser-words.ts'

interface FaultPlace {
  readonly line: number
  readonly language: string
  readonly block?: number
  /** The code that the line is in. */
  readonly source: string
}

interface CodeMessages {
  instruct(languages: readonly string[], whole: boolean): string
  /** What is wrong in a line; `block` counts from 1 where the answer has several. */
  fault(place: FaultPlace, said: string): string
  hint(suggestion: string): string
  /** What a block holds instead of what its tag says. */
  mistagged(block: number, tag: string, holds: string): string
  /** That only some lines of an answer without a block are code, of which each kind has its first. */
  notFenced(code: number, other: number): string
  fence(language: string): string
  /** What to do when no code was recognised in a file. */
  readonly noCode: string
}

/** The names of languages as people write them. */
const titles: Readonly<Record<string, string>> = {
  csharp: 'C#',
  css: 'CSS',
  html: 'HTML',
  javascript: 'JavaScript',
  json: 'JSON',
  php: 'PHP',
  sql: 'SQL',
  toml: 'TOML',
  typescript: 'TypeScript',
  xml: 'XML',
  yaml: 'YAML',
}

function titleOf(language: string): string {
  return titles[language] ?? language.charAt(0).toUpperCase() + language.slice(1)
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
    fault: ({ line, language, block, source }, message) =>
      `Correct line ${line} of ${block === undefined ? `the ${language} code` : `code block ${block} (${language})`}: ${parserWords(message, source, language)}`,
    hint: (suggestion) => `Write ${quotedCode(suggestion)} instead`,
    mistagged: (block, tag, holds) =>
      `Code block ${block} is tagged ${tag} but holds ${holds === 'bash' ? 'shell commands' : titleOf(holds)}: change the tag to ${holds}.`,
    notFenced: (code, other) => `Write code in a block: line ${code} is code, line ${other} is not, and the answer has no block.`,
    fence: (language) => `Put the code into one ${language} block`,
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
      `Korrigiere Zeile ${line} ${block === undefined ? `des Codes in ${language}` : `in Codeblock ${block} (${language})`}; der Parser meldet ${quotedCode(message.replace(/\.$/, ''))}.`,
    hint: (suggestion) => `Schreibe stattdessen ${quotedCode(suggestion)}`,
    mistagged: (block, tag, holds) =>
      `Codeblock ${block} ist mit ${tag} gekennzeichnet, enthält aber ${holds === 'bash' ? 'Shell-Befehle' : titleOf(holds)}: ändere die Kennzeichnung in ${holds}.`,
    notFenced: (code, other) =>
      `Schreibe Code in einen Codeblock: Zeile ${code} ist Code, Zeile ${other} nicht, und die Antwort hat keinen.`,
    fence: (language) => `Setze den Code in einen einzigen Codeblock mit der Sprache ${language}`,
    noCode: `Kein Code wurde erkannt, also keiner geprüft; schreibe Code in einen Codeblock mit seiner Sprache, oder nenne sie: ${example}`,
  },
}
