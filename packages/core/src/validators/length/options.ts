import * as z from 'zod'
import { bounds, isBounded, isOrdered, range, unbounded, unordered } from '../shared/units/range.ts'

/** The options of `length`. */
export const lengthOptions = () =>
  z
    .strictObject({
      words: z
        .strictObject({
          ...bounds(),
          split: z
            .enum(['punctuation', 'spaces'])
            .default('punctuation')
            .describe('What separates words: white space and punctuation, or white space alone as in `max_words`.'),
        })
        .refine(isBounded, unbounded)
        .refine(isOrdered, unordered)
        .optional()
        .describe('Number of words.'),
      characters: range().optional().describe('Number of characters (code points), without white space at both ends.'),
      sentences: range().optional().describe('Number of sentences.'),
      lines: range().optional().describe('Number of lines that are not blank.'),
      paragraphs: range().optional().describe('Number of paragraphs: blocks of lines with blank lines between them.'),
      parts: z
        .strictObject({
          separator: z.string().max(100).regex(/\S/, 'a separator needs a visible character').describe('Text that separates the parts.'),
          ...bounds(),
          distinct: z.boolean().default(false).describe('No two parts are the same.'),
        })
        .refine(isBounded, unbounded)
        .refine(isOrdered, unordered)
        .optional()
        .describe('Number of parts between separators.'),
    })
    .refine(
      (given) => Object.values(given).some((one) => one !== undefined),
      'limit at least one of words, characters, sentences, lines, paragraphs, parts',
    )

/** The options of `length`, read. */
export type LengthOptions = z.output<ReturnType<typeof lengthOptions>>
