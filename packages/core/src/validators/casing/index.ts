import * as z from 'zod'
import { type IssueDraft, issue } from '../../contract/issue.ts'
import type { Locale } from '../../contract/locale.ts'
import { defineValidator } from '../../contract/validator.ts'
import { type Casing, casings, findWrongCase, wordUpTo, wrongLetters } from './letters.ts'
import { casingMessages } from './messages.ts'
import { repairCasing } from './repair.ts'
import { CasingStream } from './stream.ts'

/** Fails when a letter of the answer is in the wrong case; reasoning does not count. */
export const casing = defineValidator({
  name: 'casing',
  summary: 'All letters of the answer are in lower case, or all in upper case.',
  get options() {
    return z.strictObject({ is: z.enum(casings).describe('The case of every letter; letters without case are ignored.') })
  },
  codes: {
    WRONG_CASE: {
      severity: 'error',
      when: 'A letter is in the other case.',
      fix: 'Write it in the required case; a repair does so if lossy repairs are allowed.',
    },
  },
  instruct: ({ is }, locale) => casingMessages[locale].instruct(is),
  prepare: ({ is }) => ({
    *check({ text, bodyStart }, { locale }) {
      const wrong = findWrongCase(text, bodyStart, is)
      if (wrong === undefined) return
      const { hint } = casingMessages[locale]
      const word = wordUpTo(text, bodyStart, wrong.end)
      yield { ...wrongCase(word, is, locale), hint: hint(wrongLetters(text.slice(bodyStart), is)), span: wrong }
    },
    incremental: ({ locale }, told) => new CasingStream(is, told?.allow.includes('lossy') ?? false, (word) => wrongCase(word, is, locale)),
    repair: (answer) => repairCasing(answer, is),
  }),
})

function wrongCase(word: string, is: Casing, locale: Locale): IssueDraft<'WRONG_CASE'> {
  return issue('WRONG_CASE', casingMessages[locale].wrong(is, word))
}
