import * as z from 'zod'

const visible = () => z.string().max(10_000).regex(/\S/, 'it needs a visible character')

/** The options of `affixes`. */
export const affixesOptions = () =>
  z
    .strictObject({
      starts: visible().optional().describe('Text that the answer starts with.'),
      ends: visible().optional().describe('Text that the answer ends with; closing double quotes may follow it.'),
      wrappedIn: z
        .union([visible(), z.tuple([visible(), visible()])])
        .optional()
        .describe('Text around the whole answer, such as a double quote; a list of two when the end differs from the start.'),
      caseSensitive: z.boolean().default(false).describe('Whether upper and lower case differ.'),
    })
    .refine(
      ({ starts, ends, wrappedIn }) => starts !== undefined || ends !== undefined || wrappedIn !== undefined,
      'give starts, ends or wrappedIn',
    )

/** The affixes that an answer must have, without white space around them. */
export interface AffixRules {
  readonly open: string | undefined
  readonly close: string | undefined
  readonly starts: string | undefined
  readonly ends: string | undefined
  readonly caseSensitive: boolean
}

/** Reads the options. */
export function affixRulesOf({ starts, ends, wrappedIn, caseSensitive }: z.output<ReturnType<typeof affixesOptions>>): AffixRules {
  const [open, close] = Array.isArray(wrappedIn) ? wrappedIn : [wrappedIn, wrappedIn]
  return { open: open?.trim(), close: close?.trim(), starts: starts?.trim(), ends: ends?.trim(), caseSensitive }
}
