import * as z from 'zod'
import { errorMessage } from '../../answer/thrown.ts'
import { Automaton } from '../../schema/patterns/automaton.ts'
import { compileProgram, type Program } from '../../schema/patterns/program.ts'
import { entryFields, type RuleEntry, replaceField } from '../shared/matches/rule-entry.ts'
import { isOrdered, unordered } from '../shared/units/range.ts'

const mostPatterns = 100
const mostMatches = 10_000

const pattern = () =>
  z
    .strictObject({
      regex: z
        .string()
        .min(1)
        .superRefine((source, context) => {
          const message = problemOf(source)
          if (message !== undefined) context.addIssue({ code: 'custom', message })
        })
        .describe('The regular expression, in the syntax of JavaScript.'),
      min: z.int().positive().max(mostMatches).optional().describe('Fewest matches; 1 in `require` when neither is given.'),
      max: z.int().nonnegative().max(mostMatches).optional().describe('Most matches.'),
      ignoreCase: z.boolean().default(false).describe('Upper and lower case are the same.'),
      ...entryFields(),
      replace: replaceField(),
    })
    .refine(isOrdered, unordered)

const required = () => pattern().refine(({ replace }) => replace === undefined, 'replace applies to deny only')
const denied = () =>
  pattern()
    .refine(({ min }) => min === undefined, 'min applies to require only; deny takes max')
    .refine(({ replace, max = 0 }) => replace === undefined || max === 0, 'replace excludes max')
    .refine(
      ({ replace = '' }) => !/\$[\d&<`']/.test(replace.replaceAll('$$', '')),
      'groups such as $1 cannot be used in replace; write $$ for a dollar sign',
    )
const patterns = (one: ReturnType<typeof pattern>) => z.array(one).min(1).max(mostPatterns)

/** The options of `pattern`. */
export const patternOptions = () =>
  z
    .strictObject({
      require: patterns(required())
        .optional()
        .describe('Patterns that must match: `{ regex, min, max, ignoreCase, message, code, severity }`.'),
      deny: patterns(denied()).optional().describe('Patterns that must not match, or at most `max` times; each may have `replace`.'),
    })
    .refine(({ require, deny }) => require ?? deny, 'has no rule; give require or deny')

/** A pattern that is ready to be searched for. */
export interface PatternRule extends RuleEntry {
  readonly regex: string
  readonly min: number
  readonly max: number
  readonly isDenied: boolean
  readonly compiled: Program
  /** Decides quickly whether there is a match at all. */
  readonly automaton: Automaton
}

/** Compiles the patterns. */
export function rulesOf({ require = [], deny = [] }: z.output<ReturnType<typeof patternOptions>>): PatternRule[] {
  const unlimited = Number.POSITIVE_INFINITY
  return [
    ...deny.map(({ max = 0, replace, ...rule }) => ({
      ...rule,
      min: 0,
      max,
      isDenied: true,
      ...(replace !== undefined && { replace: replace.replaceAll('$$', () => '$') }),
      ...compile(rule),
    })),
    ...require.map(({ max = unlimited, ...rule }) => ({
      ...rule,
      min: rule.min ?? (max === unlimited ? 1 : 0),
      max,
      isDenied: false,
      ...compile(rule),
    })),
  ]
}

function compile({
  regex,
  ignoreCase,
}: Pick<z.output<ReturnType<typeof pattern>>, 'regex' | 'ignoreCase'>): Pick<PatternRule, 'compiled' | 'automaton'> {
  const compiled = compileProgram(regex, ignoreCase)
  return { compiled, automaton: new Automaton(compiled) }
}

/** Why a regular expression cannot be used. */
function problemOf(regex: string): string | undefined {
  // That it is empty is said already.
  if (regex === '') return undefined
  try {
    const { automaton } = compile({ regex, ignoreCase: false })
    if (automaton.test('')) return `the pattern ${JSON.stringify(regex)} matches everywhere, because it matches the empty text`
    return undefined
  } catch (error) {
    return errorMessage(error)
  }
}
