import * as z from 'zod'
import { Automaton } from '../../schema/patterns/automaton.ts'
import { compileProgram, type Program } from '../../schema/patterns/program.ts'

const mostPatterns = 100
const mostMatches = 10_000

const pattern = z
  .strictObject({
    regex: z.string().min(1).describe('The regular expression, in the syntax of JavaScript.'),
    min: z.int().positive().max(mostMatches).optional().describe('Fewest matches; 1 in `require` when neither is given.'),
    max: z.int().nonnegative().max(mostMatches).optional().describe('Most matches.'),
    ignoreCase: z.boolean().default(false).describe('Upper and lower case are the same.'),
  })
  .refine(({ min = 0, max = min }) => min <= max, 'min is larger than max')

const denied = pattern.refine(({ min }) => min === undefined, 'min applies to require only; deny takes max')
const patterns = (one: typeof pattern) => z.array(one).min(1).max(mostPatterns)

/** The options of `pattern`. */
export const patternOptions = z
  .strictObject({
    require: patterns(pattern).optional().describe('Patterns that must match: `{ regex, min, max, ignoreCase }`.'),
    deny: patterns(denied).optional().describe('Patterns that must not match, or at most `max` times.'),
  })
  .refine(({ require, deny }) => require ?? deny, 'has no rule; give require or deny')

/** A pattern that is ready to be searched for. */
export interface PatternRule {
  readonly regex: string
  readonly min: number
  readonly max: number
  readonly isDenied: boolean
  readonly compiled: Program
  /** Decides quickly whether there is a match at all. */
  readonly automaton: Automaton
}

/** Compiles the patterns; throws with the place and the reason when one cannot be used. */
export function rulesOf({ require = [], deny = [] }: z.output<typeof patternOptions>): PatternRule[] {
  const unlimited = Number.POSITIVE_INFINITY
  return [
    ...deny.map(({ max = 0, ...rule }, at) => ({ ...rule, min: 0, max, isDenied: true, ...compile(rule, 'deny', at) })),
    ...require.map(({ max = unlimited, ...rule }, at) => ({
      ...rule,
      min: rule.min ?? (max === unlimited ? 1 : 0),
      max,
      isDenied: false,
      ...compile(rule, 'require', at),
    })),
  ]
}

function compile(
  { regex, ignoreCase }: Pick<z.output<typeof pattern>, 'regex' | 'ignoreCase'>,
  list: string,
  at: number,
): Pick<PatternRule, 'compiled' | 'automaton'> {
  const place = `${list}.${at}.regex`
  let compiled: Program
  try {
    compiled = compileProgram(regex, ignoreCase)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`${place}: ${reason}`)
  }
  const automaton = new Automaton(compiled)
  if (automaton.test(''))
    throw new Error(`${place}: the pattern ${JSON.stringify(regex)} matches everywhere, because it matches the empty text`)
  return { compiled, automaton }
}
