import * as z from 'zod'
import { prepareMachine } from '../../contract/machine/machine-run.ts'
import { defineValidator, type PreparedValidator, type ValidatorDefinition } from '../../contract/validator.ts'
import { CitationMachine } from './machine.ts'
import { citationStyles } from './marker-body.ts'
import { type CitationCode, citationWords, writtenForms } from './messages.ts'
import { dropCitations, trimCarets } from './repair.ts'
import { countSources } from './sources.ts'

/** The grammar of another product, which `citations` can follow instead of its own. */
interface CitationProfile<Name extends string = string> {
  /** The value of the option `profile` that selects it. */
  readonly name: Name
  /** What it checks, for the description of the option. */
  readonly summary: string
  /** The options that it restricts: what is allowed, and what to say about anything else. */
  readonly restrictions: readonly {
    readonly option: keyof CitationOptions
    allows(options: CitationOptions): boolean
    readonly message: string
  }[]
  prepare(options: CitationOptions): PreparedValidator<CitationCode>
}

const optionsSchema = <Name extends string>(profiles: readonly CitationProfile<Name>[]) =>
  z
    .strictObject({
      profile: z
        .enum<('strict-plus' | Name)[]>(['strict-plus', ...profiles.map(({ name }) => name)])
        // `default` of Zod cannot be typed while the names are a type parameter.
        .default('strict-plus' as never)
        .describe(
          `${['strict-plus: every marker outside code is checked', ...profiles.map(({ name, summary }) => `${name}: ${summary}`)].join('; ')}.`,
        ),
      styles: z
        .array(z.enum(citationStyles))
        .min(1)
        .default(['caret'])
        .describe('How citations are written: caret is `[^N]`, bracket is `[N]`, lenticular is `【N】`.'),
      requireCitations: z
        .union([z.boolean(), z.literal('paragraph')])
        .default(false)
        .describe('Whether the answer must cite a source; paragraph: every paragraph of prose must.'),
      sources: z.int().nonnegative().optional().describe('The maximum number of sources: `context.sources` may name fewer, never more.'),
      dropUnsupported: z
        .boolean()
        .default(false)
        .describe('Whether a repair may drop markers that are malformed or name no source; the text before them stays, without support.'),
      release: z
        .enum(['text', 'line'])
        .default('text')
        .describe(
          'How a stream is shown. text: as it arrives, up to a marker; line: line by line, once all markers of a line are valid, so that no claim with an invalid citation is shown.',
        ),
    })
    .superRefine((options, context) => {
      for (const { option, allows, message } of profiles.find(({ name }) => name === options.profile)?.restrictions ?? [])
        if (!allows(options)) context.addIssue({ code: 'custom', path: [option], message })
    })

/** The options of `citations`. */
type CitationOptions = z.output<ReturnType<typeof optionsSchema<string>>>

/** Defines `citations` with further profiles, in the place of the validator without them. */
export const defineCitations = <const Name extends string = never>(
  profiles: readonly CitationProfile<Name>[],
  replaces?: ValidatorDefinition,
) =>
  defineValidator({
    name: 'citations',
    summary: 'Citation markers such as `[^1]` are well-formed and name sources that exist.',
    get options() {
      return optionsSchema(profiles)
    },
    repairs: true,
    codes: {
      CITATION_MALFORMED: {
        severity: 'error',
        when: 'A marker is empty, not closed, or contains something other than a whole number from 1 without leading zeros.',
        fix: 'Write `[^N]` with the number of a source; put code in back-ticks, and write `\\[^` where no citation is meant.',
      },
      CITATION_OUT_OF_RANGE: {
        severity: 'error',
        when: 'A marker names a source that does not exist.',
        fix: 'Cite one of the sources that were given, or drop the marker; it is never renumbered.',
      },
      CITATION_MISSING: {
        severity: 'error',
        when: 'With `requireCitations`, the answer or one of its paragraphs cites no existing source.',
        fix: 'Cite the source of the paragraph; a citation is never invented.',
        repaired: false,
      },
    },
    facts: { citations: { use: 'citations' } },
    instruct: ({ styles, sources, requireCitations }, locale) => {
      const say = citationWords[locale]
      const demand = requireCitations === 'paragraph' ? say.demandEach : say.demand
      return [say.instruct(writtenForms(styles), sources), ...(requireCitations === false ? [] : [demand])].join(' ')
    },
    ...(replaces && { replaces }),
    prepare: (options) => (profiles.find(({ name }) => name === options.profile)?.prepare ?? prepareStrict)(options),
  })

/** Fails when a citation marker is malformed, names a source that does not exist, or is missing where one is required. */
export const citations = defineCitations([])

function prepareStrict(options: CitationOptions): PreparedValidator<CitationCode> {
  const { styles, dropUnsupported } = options
  return prepareMachine<CitationCode>((reading) => new CitationMachine(reading, options, countSources(reading.context, options.sources)), {
    ...(dropUnsupported && { allow: ['lossless', 'lossy'] as const, optedIn: true as const }),
    *repair(answer, _issues, { context }) {
      const sources = countSources(context, options.sources)
      const trimmed = [...trimCarets(answer, styles, sources)]
      if (trimmed.length > 0) yield* trimmed
      else if (dropUnsupported) yield* dropCitations(answer, styles, sources)
    },
  })
}
