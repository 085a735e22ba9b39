import { Answer } from '../../answer/answer.ts'
import { familyOf, languageOf } from '../../answer/markdown/code-language.ts'
import { TooComplex } from '../../contract/too-complex.ts'
import type { CheckContext } from '../../contract/validator.ts'
import type { CodeLanguage } from './guess/code-language.ts'
import { type CodeChoice, isBlank, selectCode } from './selection.ts'
import { seemsCode } from './unfenced.ts'

/** Endings of files that hold code. */
const endings = new Set(
  (
    'bash c cc cjs cpp cs css cts cxx go h hpp htm html ini java js json jsonc jsx mjs mts php plist ps1 py rb rs sh sql svg toml ts tsx ' +
    'wsdl xaml xml xsd xsl xslt yaml yml'
  ).split(' '),
)

/** The language of a file of code, by the ending of its name; undefined for any other file. */
export function languageOfFile(name: string, known: readonly CodeLanguage[] = []): string | undefined {
  if (!name.includes('.')) return undefined
  const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  return endings.has(ending) ? languageOf(ending) : known.find((language) => language.ending === ending)?.name
}

/** Which code is meant. */
export interface ChosenCode {
  readonly language?: string | undefined
  readonly languages?: readonly string[] | undefined
  readonly whole: boolean
}

/** Decides which code of an answer is checked: as the options say, and for a file named by `context.file`, all of it when it is code. */
type Choose = (context: Pick<CheckContext, 'context'>) => CodeChoice

/** Chooses by the options; the language of a file is that of its name, or without any option and fence, the one it seems to be. */
export function choiceOf({ language, languages, whole }: ChosenCode, judge: boolean, known: readonly CodeLanguage[]): Choose {
  const names = (languages ?? (language === undefined ? [] : [language])).map((name) => familyOf(languageOf(name)))
  const choice: CodeChoice =
    languages === undefined ? { language: names[0], whole, judge: judge && names[0] !== undefined && !whole } : { languages: names, whole }
  return ({ context: { file } }) => {
    if (typeof file !== 'string' || whole) return choice
    const written = languageOfFile(file, known)
    if (written === undefined) return names.length === 0 ? { ...choice, guess: known } : choice
    return names.length === 0 || names.includes(familyOf(written)) ? { language: written, whole: true } : choice
  }
}

/** The code of an answer that is checked when it must be in a language, block by block; none where the answer is too complex to be read. */
export function codeIn(text: string, language: string): string[] {
  try {
    const choice: CodeChoice = { language: familyOf(languageOf(language)), whole: false, judge: true }
    return selectCode(new Answer(text), choice).flatMap((snippet) =>
      isBlank(snippet) || (snippet.isUnfenced && !seemsCode(snippet.source)) ? [] : [snippet.source],
    )
  } catch (error) {
    if (error instanceof TooComplex) return []
    throw error
  }
}
