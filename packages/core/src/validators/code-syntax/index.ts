import * as z from 'zod'
import type { Answer } from '../../answer/answer.ts'
import { isCutShort } from '../../answer/finish-reason.ts'
import { fact, type Issue } from '../../contract/issue.ts'
import { clamp } from '../../contract/quote.ts'
import { type SyntaxFault, traceLine } from '../../contract/syntax.ts'
import { type CheckContext, defineValidator, type PreparedValidator } from '../../contract/validator.ts'
import { ValidatorUnavailable } from '../../contract/validator-unavailable.ts'
import { choiceOf } from './choice.ts'
import { type CodeFault, type FoundCode, inspectCode, type Tell, tellIn } from './inspect.ts'
import { codeMessages } from './messages.ts'
import { repairCode } from './repair/index.ts'
import { type CodeChoice, isBlank, selectCode } from './selection.ts'
import type { Snippet } from './snippet.ts'
import { CodeStream, mostBlocks, tooManyBlocks } from './stream.ts'
import { type Judging, Verdicts } from './verdicts.ts'

/** Longer messages of a parser are cut in a trace. */
const longestMessage = 200

/** Formats a fault as a line of the trace, including the code that a parser quotes. */
const tellTrace: Tell = ({ message }: SyntaxFault, line) => ({
  message: traceLine({ line, message: clamp(message.replace(/[\p{C}\u2028\u2029]+/gu, ' '), longestMessage) }),
})

/** Asks again with the trace, in the words of AVAP. */
function parserFeedback(issues: readonly Issue[]): string {
  // Nothing that the model wrote may close the block, or open another.
  const trace = issues.map(({ message, hint }) => (hint === undefined ? message : `${message} ${hint}.`).replaceAll('<', '&lt;')).join('\n')
  return `<parser_feedback>\nThe previous attempt produced invalid AVAP code. Specific failures:\n\n${trace}\n\nCorrect these errors. Do not repeat the same constructs.\n</parser_feedback>`
}

/** The dialects of SQL that a contract may name. */
const dialects = ['postgresql', 'mysql', 'mariadb', 'sqlite', 'tsql', 'oracle', 'bigquery', 'snowflake', 'spark', 'duckdb'] as const

const languageName = () => z.string().trim().min(1).max(40)

const optionsSchema = () =>
  z
    .strictObject({
      language: languageName()
        .optional()
        .describe(
          'The language of the code: every block in it is checked; if there is none, the first block; without any block, the whole text if it looks like code.',
        ),
      languages: z.array(languageName()).min(1).optional().describe('Every block in one of these languages is checked, and nothing else.'),
      whole: z.boolean().default(false).describe('Whether the whole text is the code, in `language`.'),
      placeholders: z
        .enum(['reject', 'allow'])
        .default('reject')
        .describe('Whether code may have something to be filled in, such as `<repo-url>` or `{{name}}`, that does not parse.'),
      fragments: z
        .enum(['reject', 'allow'])
        .default('reject')
        .describe(
          'Whether code may be a part that does not parse alone, such as `"scripts": {…}`, a method, or code with `...` where something is left out.',
        ),
      dialect: z
        .enum(dialects)
        .optional()
        .describe('The dialect of blocks tagged `sql`. Only `postgresql` is parsed: blocks in another one leave the answer unchecked.'),
      profile: z
        .enum(['plain', 'avap'])
        .default('plain')
        .describe(
          'With avap, feedback for a retry is a trace in `<parser_feedback>`, blocks without a tag are in `language`, and of a text without blocks the parser says whether it is code.',
        ),
    })
    .superRefine(({ language, languages, whole }, context) => {
      const reject = (path: string, message: string): void => context.addIssue({ code: 'custom', path: [path], message })
      if (whole && language === undefined) reject('whole', 'name the `language` of the text')
      if (language !== undefined && languages !== undefined) reject('languages', 'give either `language` or `languages`')
    })

type Options = z.output<ReturnType<typeof optionsSchema>>

/** Fails when code in the answer does not parse. */
export const codeSyntax = defineValidator({
  name: 'code_syntax',
  summary: 'The code in the answer parses.',
  get options() {
    return optionsSchema()
  },
  codes: {
    SYNTAX_ERROR: {
      severity: 'error',
      when: 'Code in the answer does not parse; one issue per error with its position, for the first 20.',
      fix: 'Correct the code at the position that the parser reports; a repair removes stray fences and replaces smart quotes and special spaces.',
    },
    CODE_NOT_FENCED: {
      severity: 'error',
      when: 'With `profile: avap`: the answer has no code block, and only some of its lines are code.',
      fix: 'Put the code into one block in its language.',
    },
    WRONG_CODE_TAG: {
      severity: 'error',
      when: 'A code block does not parse in the language of its tag, and certainly is in another one.',
      fix: 'Change the tag to the language that the message names; a repair does so.',
    },
  },
  ports: ['parser'],
  facts: { code: { use: 'kept' } },
  instruct: ({ language, languages, whole }, locale) =>
    codeMessages[locale].instruct(language === undefined ? (languages ?? []) : [language], whole),
  prepare,
})

function prepare(options: Options): PreparedValidator<CodeFault> {
  const choose = choiceOf(options)
  const inTrace = options.profile === 'avap'
  const tell = ({ locale }: CheckContext): Tell => (inTrace ? tellTrace : tellIn(locale))
  const judging: Judging = {
    isNamed: options.language !== undefined || options.languages !== undefined,
    placeholders: options.placeholders === 'allow',
    fragments: options.fragments === 'allow',
    dialect: options.dialect,
    // Code that must be in one language is not right in another; but what installs its packages is.
    retags: inTrace ? 'none' : options.language === undefined ? 'any' : 'bash',
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
    ...(inTrace ? { feedback: parserFeedback } : {}),
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
