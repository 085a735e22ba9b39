import type { Answer } from '../../answer/answer.ts'
import { isCutShort } from '../../answer/finish-reason.ts'
import { fact } from '../../contract/issue.ts'
import type { Locale } from '../../contract/locale.ts'
import type { CheckContext, PreparedValidator } from '../../contract/validator.ts'
import { ValidatorUnavailable } from '../../contract/validator-unavailable.ts'
import { type ChosenCode, choiceOf } from './choice.ts'
import type { CodeLanguage } from './guess/code-language.ts'
import { type CodeFault, type FaultWording, type FoundCode, faultWording, inspectCode } from './inspect.ts'
import { codeMessages } from './messages.ts'
import type { CodeProfile } from './profile.ts'
import { repairCode } from './repair/index.ts'
import { type CodeChoice, isBlank, selectCode } from './selection.ts'
import type { Snippet } from './snippet.ts'
import { CodeStream, mostBlocks, tooManyBlocks } from './stream.ts'
import { type Judging, Verdicts } from './verdicts.ts'

/** The options of `code_syntax`. */
interface CodeOptions extends ChosenCode {
  readonly placeholders: 'reject' | 'allow'
  readonly fragments: 'reject' | 'allow'
  readonly dialect?: string | undefined
}

/** Tells the model the rule. */
export function instructCode({ language, languages, whole }: CodeOptions, locale: Locale): string {
  return codeMessages[locale].instruct(language === undefined ? (languages ?? []) : [language], whole)
}

/** Binds the options, the profile that they choose, and the languages that are recognised beside those of the library. */
export function prepareCode(
  options: CodeOptions,
  profile: CodeProfile | undefined,
  known: readonly CodeLanguage[],
): PreparedValidator<CodeFault> {
  const choose = choiceOf(options, profile?.judge === true, known)
  const tell = ({ locale }: CheckContext): FaultWording => profile?.tell ?? faultWording(locale)
  const judging: Judging = {
    isNamed: options.language !== undefined || options.languages !== undefined,
    placeholders: options.placeholders === 'allow',
    fragments: options.fragments === 'allow',
    dialect: options.dialect,
    // Code that must be in one language is not right in another; but what installs its packages is.
    retags: profile?.retags ?? (options.language === undefined ? 'any' : 'bash'),
  }
  return {
    async *check(answer, context) {
      const choice = choose(context)
      if (choice.judge && answer.unclosedReasoning)
        throw new ValidatorUnavailable('the reasoning never ends, so the code in it was not read')
      const code = codeOf(answer, choice)
      yield* inspectCode(code, new Verdicts(context, judging), context, tell(context))
      // A file that was named is meant to hold code: one without must not pass for correct code.
      if (choice.guess && code.complete.length === 0) yield fact('note', codeMessages[context.locale].noCode)
    },
    incremental: (context, contract) =>
      new CodeStream(choose(context), new Verdicts(context, judging), tell(context), context, contract?.repairs),
    repair: (answer, _issues, context) =>
      repairCode(answer, codeOf(answer, choose(context)).complete, new Verdicts(context, judging), context.signal),
    ...(profile && { feedback: profile.feedback }),
  }
}

/** The code of an answer that is checked; what was cut off is not read. */
function codeOf(answer: Answer, choice: CodeChoice): FoundCode {
  const code = selectCode(answer, choice)
  const complete = isCutShort(answer.finishReason) ? code.filter((snippet) => isComplete(snippet, answer)) : code
  if (complete.length > mostBlocks) throw tooManyBlocks()
  return { complete, isCut: code.some((snippet) => !complete.includes(snippet) && !isBlank(snippet)) }
}

/** Whether a block has ended before the text did. */
function isComplete({ number, closed, span }: Snippet, { text }: Answer): boolean {
  return closed || (number !== undefined && span.end < text.length)
}
