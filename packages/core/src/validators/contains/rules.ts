import * as z from 'zod'
import { bounds, isBounded, isOrdered, unbounded, unordered } from '../shared/units/range.ts'
import { Characters } from './characters.ts'

/** Longer texts are passages, which no model repeats word for word. */
const longestText = 1000
const mostTexts = 500

const text = () =>
  z
    .string()
    .min(1)
    .max(longestText)
    .refine((given) => new Characters(true).symbolsOf(given).length > 0, 'must have a character that can be seen')
const texts = () => z.array(text()).min(1).max(mostTexts)

const count = () =>
  z
    .strictObject({
      text: text().describe('The text to count.'),
      min: bounds().min.describe('Fewest times that it occurs.'),
      max: bounds().max.describe('Most times that it occurs.'),
    })
    .refine(isBounded, unbounded)
    .refine(isOrdered, unordered)

/** The options of `contains`. */
export const containsOptions = () =>
  z
    .strictObject({
      all: texts().optional().describe('Texts that must all occur.'),
      any: texts().optional().describe('Texts of which at least one must occur.'),
      none: texts().optional().describe('Texts that must not occur.'),
      counts: z.array(count()).min(1).max(mostTexts).optional().describe('How often texts must or may occur: `{ text, min, max }`.'),
      wholeWords: z.boolean().default(false).describe('Texts match whole words only, never parts of words.'),
      caseSensitive: z.boolean().default(false).describe('Upper and lower case differ.'),
    })
    .refine(({ all, any, none, counts }) => all ?? any ?? none ?? counts, 'has no rule; give all, any, none or counts')

/** How often a text may occur. */
export type CountRule = z.output<ReturnType<typeof count>>

/** The rules of one `contains`, with empty lists for those that are absent. */
export interface ContainsRules {
  readonly all: readonly string[]
  readonly any: readonly string[]
  readonly none: readonly string[]
  readonly counts: readonly CountRule[]
}

/** Fills in the lists that are absent. */
export function rulesOf({ all = [], any = [], none = [], counts = [] }: z.output<ReturnType<typeof containsOptions>>): ContainsRules {
  return { all, any, none, counts }
}
