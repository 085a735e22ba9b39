import { familyOf, languageOf, languageOfFile } from '../../answer/code-language.ts'
import type { CheckContext } from '../../contract/validator.ts'
import type { CodeChoice } from './selection.ts'

interface CodeOptions {
  readonly language?: string | undefined
  readonly languages?: readonly string[] | undefined
  readonly whole: boolean
}

/** Tells which code is checked: what the options say, or all of a file of code, where `context.file` names one. */
export function choiceOf({ language, languages, whole }: CodeOptions): (context: Pick<CheckContext, 'context'>) => CodeChoice {
  const names = (languages ?? (language === undefined ? [] : [language])).map((name) => familyOf(languageOf(name)))
  const choice: CodeChoice = languages === undefined ? { language: names[0], whole } : { languages: names, whole }
  return ({ context: { file } }) => {
    const written = typeof file === 'string' ? languageOfFile(file) : undefined
    const isMeant = written !== undefined && !whole && (names.length === 0 || names.includes(familyOf(written)))
    return isMeant ? { language: written, whole: true } : choice
  }
}
