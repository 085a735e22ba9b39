import * as z from 'zod'
import { defineValidator, type ValidatorDefinition } from '../../contract/validator.ts'
import type { CodeLanguage } from './guess/code-language.ts'
import { instructCode, prepareCode } from './prepare.ts'
import type { CodeProfile } from './profile.ts'

/** The dialects of SQL that a contract may name. */
const dialects = ['postgresql', 'mysql', 'mariadb', 'sqlite', 'tsql', 'oracle', 'bigquery', 'snowflake', 'spark', 'duckdb'] as const

const languageName = () => z.string().trim().min(1).max(40)

const optionsSchema = <Name extends string>(profiles: readonly CodeProfile<Name>[]) =>
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
        .enum(['plain', ...profiles.map(({ name }) => name)])
        // `default` of Zod cannot be typed while the names are a type parameter.
        .default('plain' as never)
        .describe(profiles.map(({ description }) => description).join(' ') || 'How the code is judged; presets add values.'),
    })
    .superRefine(({ language, languages, whole }, context) => {
      const reject = (path: string, message: string): void => context.addIssue({ code: 'custom', path: [path], message })
      if (whole && language === undefined) reject('whole', 'name the `language` of the text')
      if (language !== undefined && languages !== undefined) reject('languages', 'give either `language` or `languages`')
    })

/** Defines `code_syntax` with the profiles of presets, and languages that are recognised beside those of the library. */
export function defineCodeSyntax<Name extends string = never>(
  profiles: readonly CodeProfile<Name>[],
  languages: readonly CodeLanguage[] = [],
  replaces?: ValidatorDefinition,
) {
  return defineValidator({
    name: 'code_syntax',
    summary: 'The code in the answer parses.',
    get options() {
      return optionsSchema(profiles)
    },
    repairs: true,
    codes: {
      SYNTAX_ERROR: {
        severity: 'error',
        when: 'Code in the answer does not parse; one issue per error with its position, for the first 20.',
        fix: 'Correct the code at the position that the parser reports; a repair removes stray fences and replaces smart quotes and special spaces.',
      },
      CODE_NOT_FENCED: {
        severity: 'error',
        when: 'With a profile that lets the parser say what is code: the answer has no code block, and only some of its lines are code.',
        fix: 'Put the code into one block in its language.',
      },
      WRONG_CODE_TAG: {
        severity: 'error',
        when: 'A code block does not parse in the language of its tag, and certainly is in another one.',
        fix: 'Change the tag to the language that the message names; a repair does so.',
      },
    },
    ...(replaces && { replaces }),
    ports: ['parser'],
    facts: { code: { use: 'kept' } },
    instruct: instructCode,
    prepare: (options) =>
      prepareCode(
        options,
        profiles.find(({ name }) => name === options.profile),
        languages,
      ),
  })
}
