import type { RE2JS } from 're2js'
import * as z from 'zod'
import { compileTranslated } from '../../schema/patterns/pattern.ts'
import { translatePattern } from '../../schema/patterns/pattern-translate.ts'

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

const denied = pattern.refine(({ min }) => min === undefined, 'min is for require; what is denied has a max')
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
  readonly compiled: RE2JS
}

/** Compiles the patterns; throws with the place and the reason when one cannot be used. */
export function rulesOf({ require = [], deny = [] }: z.output<typeof patternOptions>): PatternRule[] {
  const unlimited = Number.POSITIVE_INFINITY
  return [
    ...deny.map(({ max = 0, ...rule }, at) => ({ ...rule, min: 0, max, isDenied: true, compiled: compile(rule, 'deny', at) })),
    ...require.map(({ max = unlimited, ...rule }, at) => ({
      ...rule,
      min: rule.min ?? (max === unlimited ? 1 : 0),
      max,
      isDenied: false,
      compiled: compile(rule, 'require', at),
    })),
  ]
}

function compile({ regex, ignoreCase }: Pick<z.output<typeof pattern>, 'regex' | 'ignoreCase'>, list: string, at: number): RE2JS {
  const place = `${list}.${at}.regex`
  let compiled: RE2JS
  try {
    compiled = compileTranslated(regex, `${ignoreCase ? '(?i)' : ''}${translatePattern(regex)}`)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`${place}: ${reason}${positionOf(regex, reason)}`)
  }
  if (compiled.test(''))
    throw new Error(`${place}: the pattern ${JSON.stringify(regex)} matches everywhere, because it matches the empty text`)
  return compiled
}

/** Where the fault is: the bracket that has no partner, or the piece that the engine complains about. */
function positionOf(regex: string, reason: string): string {
  const open: number[] = []
  let inClass = -1
  for (let at = 0; at < regex.length; at++) {
    const unit = regex[at]
    if (unit === '\\') at++
    else if (inClass >= 0) inClass = unit === ']' ? -1 : inClass
    else if (unit === '[') inClass = at
    else if (unit === '(') open.push(at)
    else if (unit === ')' && open.pop() === undefined) return atCharacter(at)
  }
  const bracket = inClass >= 0 ? inClass : open.at(-1)
  if (bracket !== undefined) return atCharacter(bracket)
  const piece = /: `([^`]+)`$/.exec(reason)?.[1]
  const found = piece === undefined ? -1 : regex.indexOf(piece)
  return found < 0 ? '' : atCharacter(found)
}

function atCharacter(at: number): string {
  return `, at character ${at + 1}`
}
