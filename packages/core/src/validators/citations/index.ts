import * as z from 'zod'
import type { Answer } from '../../answer/answer.ts'
import type { AnswerReader } from '../../answer/reader.ts'
import { type Finding, fact, type Issue, type IssueDraft, issue } from '../../contract/issue.ts'
import {
  type CheckContext,
  defineValidator,
  type IncrementalCheck,
  type PreparedValidator,
  type Progress,
} from '../../contract/validator.ts'
import { citationFindings, countSources, sourcesUnknown } from './findings.ts'
import { citationStyles } from './marker-body.ts'
import { type CitationCode, CitationIssues, citationWords, writtenForms } from './messages.ts'
import { retryPrompt } from './reddb/decide.ts'
import { type CitationWarning, parseCitations, warningOf } from './reddb/parse.ts'
import { type FoundMarker, ReddbScanner } from './reddb/scanner.ts'
import { dropCitations, trimCarets } from './repair/index.ts'
import { CitationStream } from './stream/index.ts'

/** The codes of what RedDB's parser warns of. */
const warningCodes = { malformed: 'CITATION_MALFORMED', out_of_range: 'CITATION_OUT_OF_RANGE' } as const

/** One of the codes that RedDB's warnings have. */
type WarningCode = (typeof warningCodes)[CitationWarning['kind']]

/** Drafts the issue of a warning, in RedDB's own words. */
function warningIssue({ kind, span, detail }: CitationWarning): IssueDraft<WarningCode> {
  return issue(warningCodes[kind], detail, { span })
}

/** Holds what may become a marker, and fails at the bracket that closes a wrong one. */
class ReddbStream implements IncrementalCheck<WarningCode> {
  readonly #scanner = new ReddbScanner((found) => this.#take(found))
  readonly #sources: number | undefined
  #length = 0
  /** What is wrong with the text received, from the first marker on. */
  readonly #wrong: CitationWarning[] = []
  /** The first marker that cannot be judged. */
  #unknown = Number.POSITIVE_INFINITY

  constructor(sources: number | undefined) {
    this.#sources = sources
  }

  push(chunk: string, { bodyStart }: AnswerReader): Progress<WarningCode> {
    const reasoning = Math.min(Math.max(0, bodyStart - this.#length), chunk.length)
    this.#length += chunk.length
    this.#scanner.skip(reasoning)
    this.#scanner.push(reasoning === 0 ? chunk : chunk.slice(reasoning))
    const [first, ...rest] = this.#wrong
    if (first === undefined) return { safe: Math.min(this.#unknown, this.#scanner.decided) }
    const failure = { at: first.span.end, issues: [warningIssue(first)], further: rest.map(warningIssue) }
    return { safe: Math.min(this.#unknown, first.span.start), failure }
  }

  #take(found: FoundMarker): void {
    if (found.marker !== undefined && this.#sources === undefined) this.#unknown = Math.min(this.#unknown, found.span.start)
    const warning = warningOf(found, this.#sources ?? Number.POSITIVE_INFINITY)
    if (warning !== undefined) this.#wrong.push(warning)
  }
}

const optionsSchema = () =>
  z
    .strictObject({
      profile: z
        .enum(['strict-plus', 'reddb'])
        .default('strict-plus')
        .describe('strict-plus: every marker outside code is checked; reddb: exactly what the parser of RedDB finds, with its messages.'),
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
      if (options.profile !== 'reddb') return
      const reject = (path: string, message: string): void => context.addIssue({ code: 'custom', path: [path], message })
      if (options.styles.some((style) => style !== 'caret')) reject('styles', 'the profile reddb supports only the style caret')
      if (options.requireCitations !== false) reject('requireCitations', 'the profile reddb does not require citations')
      if (options.release !== 'text') reject('release', 'the profile reddb releases text as it comes')
      if (options.dropUnsupported) reject('dropUnsupported', 'the profile reddb repairs nothing')
    })

type Options = z.output<ReturnType<typeof optionsSchema>>

/** Fails when a citation marker is malformed, names a source that does not exist, or is missing where one is required. */
export const citations = defineValidator({
  name: 'citations',
  summary: 'Citation markers such as `[^1]` are well-formed and name sources that exist.',
  get options() {
    return optionsSchema()
  },
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
  prepare: (options) => (options.profile === 'reddb' ? prepareReddb(options) : prepareStrict(options)),
})

function prepareReddb({ sources }: Options): PreparedValidator<CitationCode> {
  return {
    check: (answer, { context }) => reddbFindings(answer, countSources(context, sources), context),
    incremental: ({ context }) => new ReddbStream(countSources(context, sources)),
    feedback: reddbFeedback,
  }
}

function prepareStrict(options: Options): PreparedValidator<CitationCode> {
  const { styles, dropUnsupported, release } = options
  return {
    check: (answer, context) => strictFindings(answer, options, context),
    incremental: ({ locale, context }, told) =>
      new CitationStream({
        styles,
        sources: countSources(context, options.sources),
        eachParagraph: options.requireCitations === 'paragraph',
        drops: dropUnsupported,
        trims: told?.allow.includes('lossless') ?? true,
        release,
        say: new CitationIssues(locale, styles),
      }),
    ...(dropUnsupported && { allow: ['lossless', 'lossy'] as const, optedIn: true as const }),
    *repair(answer, _issues, { context }) {
      const sources = countSources(context, options.sources)
      const trimmed = [...trimCarets(answer, styles, sources)]
      if (trimmed.length > 0) yield* trimmed
      else if (dropUnsupported) yield* dropCitations(answer, styles, sources)
    },
  }
}

function strictFindings(answer: Answer, options: Options, { locale, context }: CheckContext): Iterable<Finding<CitationCode>> {
  const sources = countSources(context, options.sources)
  return citationFindings(answer, options, sources, context, new CitationIssues(locale, options.styles))
}

/** Yields every warning of RedDB's parser as an issue, and both of its lists as facts. */
function* reddbFindings(
  { text, bodyStart }: Answer,
  sources: number | undefined,
  context: Readonly<Record<string, unknown>>,
): Generator<Finding<CitationCode>, undefined> {
  const { citations, warnings } = parseCitations(text, sources ?? Number.POSITIVE_INFINITY, bodyStart)
  // What is malformed is wrong however many sources there are.
  if (sources === undefined && citations.length > 0 && warnings.length === 0) throw sourcesUnknown(context)
  yield fact('citations', citations)
  yield fact('warnings', warnings)
  for (const warning of warnings) yield warningIssue(warning)
}

/** Asks again in the words of RedDB. */
function reddbFeedback(issues: readonly Issue[]): string {
  return retryPrompt(
    issues.map(({ code, message }) => ({ kind: code === warningCodes.out_of_range ? 'out_of_range' : 'malformed', detail: message })),
  )
}
