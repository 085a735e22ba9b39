import * as z from 'zod'
import { type Bounds, bounds, isOrdered, range, unordered } from '../shared/units/range.ts'

const headings = () =>
  z
    .strictObject({
      ...bounds(),
      levels: z.array(z.int().min(1).max(6)).min(1).optional().describe('Levels that headings may have.'),
      skipLevels: z.boolean().default(true).describe('Whether a heading may be more than one level below the one before it.'),
      required: z.array(z.string().trim().min(1)).min(1).optional().describe('Headings that must be there, in any case.'),
      ordered: z.boolean().default(true).describe('Whether the required headings must keep their order.'),
      bold: z.boolean().default(false).describe('Whether a line in bold by itself, such as `**Plan**`, is a heading too.'),
    })
    .refine(isOrdered, unordered)
    .refine(({ min, max, levels, skipLevels, required }) => !skipLevels || [min, max, levels, required].some((one) => one !== undefined), {
      message: 'give min, max, levels, required or skipLevels: false',
    })

/** The options of `markdown`. */
export const markdownOptions = () =>
  z
    .strictObject({
      headings: headings().optional().describe('Headings: how many, of which levels, and which are required.'),
      bullets: range().optional().describe('Number of list items that start with `-`, `*` or `+`.'),
      numberedItems: range().optional().describe('Number of list items that start with a number, such as `1.` or `1)`.'),
      numberedLists: range().optional().describe('Number of numbered lists; those inside of others count too.'),
      highlights: range().optional().describe('Number of passages between `*` or `**`.'),
      tables: range().optional().describe('Number of tables.'),
      codeBlocks: range().optional().describe('Number of fenced code blocks.'),
      html: z
        .enum(['none', 'inert'])
        .optional()
        .describe('Which HTML is allowed: `none`, or `inert` HTML that runs, loads and hides nothing. Any when absent.'),
    })
    .refine(
      (given) => Object.values(given).some((one) => one !== undefined),
      'give headings, bullets, numberedItems, numberedLists, highlights, tables, codeBlocks or html',
    )

/** The options of `markdown`, read. */
export type MarkdownOptions = z.output<ReturnType<typeof markdownOptions>>

/** What is counted. */
export const elements = ['headings', 'bullets', 'numberedItems', 'numberedLists', 'highlights', 'tables', 'codeBlocks'] as const

/** One of the elements that are counted. */
export type Element = (typeof elements)[number]

/** The bounds of an element. */
export function boundsOf(options: MarkdownOptions, element: Element): Bounds {
  return options[element] ?? {}
}
