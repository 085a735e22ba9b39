import * as z from 'zod'
import { isFields } from '../../answer/tool-shapes/fields.ts'
import type { Embedder } from '../../contract/embedder.ts'
import { type Finding, fact, issue } from '../../contract/issue.ts'
import type { Locale } from '../../contract/locale.ts'
import { defineValidator } from '../../contract/validator.ts'
import { ValidatorUnavailable } from '../../contract/validator-unavailable.ts'
import { judgeRelevance, type RelevanceVerdict, relevanceStrategies, relevanceThresholds } from '../../relevance/judge.ts'

interface RelevanceMessages {
  readonly instruct: string
  below(score: string, threshold: string): string
  readonly no: string
  readonly hint: string
}

/** What the messages on relevance say, by language. */
const relevanceMessages: Readonly<Record<Locale, RelevanceMessages>> = {
  en: {
    instruct: 'Answer only from the context that is given; say so when it does not answer the question.',
    below: (score, threshold) => `Say that the context does not answer the question; its relevance is ${score}, below ${threshold}.`,
    no: 'Say that the context does not answer the question; none of it was judged relevant.',
    hint: 'Another answer cannot change this; search again with other words.',
  },
  de: {
    instruct: 'Antworte nur aus dem gegebenen Kontext; sage es, wenn er die Frage nicht beantwortet.',
    below: (score, threshold) => `Sage, dass der Kontext die Frage nicht beantwortet; seine Relevanz ist ${score}, unter ${threshold}.`,
    no: 'Sage, dass der Kontext die Frage nicht beantwortet; nichts davon wurde als relevant beurteilt.',
    hint: 'Eine andere Antwort ändert daran nichts; suche noch einmal mit anderen Wörtern.',
  },
}

/** A question, and the texts that were found for it. */
interface GivenTexts {
  readonly question: string
  readonly chunks: readonly string[]
}

/** Where the text of a chunk is, in the order of preference. */
const textKeys = ['text', 'payload', 'content'] as const

/** Reads the question and the texts from what was given with an answer; without either there is nothing to judge. */
function readGiven({ question, context, sources }: Readonly<Record<string, unknown>>): GivenTexts {
  if (typeof question !== 'string' || question.trim() === '')
    throw new ValidatorUnavailable('the question is unknown: give `question` with the answer')
  const list = context ?? (Array.isArray(sources) ? sources : undefined)
  if (list === undefined || list === null)
    throw new ValidatorUnavailable('the context for the question is unknown: give `context` with the answer, a list of texts')
  if (!Array.isArray(list)) throw new ValidatorUnavailable('the `context` that is given with the answer is not a list of texts')
  return { question, chunks: list.map(textOf) }
}

function textOf(chunk: unknown, index: number): string {
  if (typeof chunk === 'string') return chunk
  const text = isFields(chunk) ? textKeys.map((key) => chunk[key]).find((value) => typeof value === 'string') : undefined
  if (typeof text === 'string') return text
  throw new ValidatorUnavailable(`\`context[${index}]\` is neither a text nor an object with one (\`text\`)`)
}

const optionsSchema = () =>
  z
    .strictObject({
      strategy: z
        .enum(relevanceStrategies)
        .default('lexical')
        .describe('lexical: by words, without a model; embedding: by vectors, needs an embedder; llm: a model says YES or NO.'),
      threshold: z
        .number()
        .min(0)
        .max(1)
        .optional()
        .describe(
          'Minimum score to count as relevant, from 0 to 1. By default 0.5 for lexical, and for embedding that of the embedder, or 0.3.',
        ),
      timeoutMs: z.int().positive().default(4000).describe('Timeout of the embedder or the model, in milliseconds.'),
    })
    .superRefine(({ strategy, threshold }, context) => {
      if (strategy === 'llm' && threshold !== undefined)
        context.addIssue({ code: 'custom', path: ['threshold'], message: 'the strategy llm has no score; leave the threshold out' })
    })

type Options = z.output<ReturnType<typeof optionsSchema>>

const noModel = 'the strategy llm asks a model, and none is given: provide `ports.model`, or choose the strategy lexical or embedding'

/** Warns when none of the texts that an answer was written from is about the question. */
export const contextRelevance = defineValidator({
  name: 'context_relevance',
  summary: 'At least one text of `context.context` is relevant to `context.question`.',
  get options() {
    return optionsSchema()
  },
  codes: {
    CONTEXT_IRRELEVANT: {
      severity: 'warning',
      when: 'None of the given texts is relevant to the question.',
      fix: 'Search again with other words before calling the model; a retry would not help, so none is made.',
    },
  },
  facts: { relevance: { use: 'kept' }, strategy: { use: 'kept' } },
  judges: 'context',
  instruct: (_options, locale) => relevanceMessages[locale].instruct,
  prepare: (options) => ({
    ...(options.strategy === 'llm' ? { ports: ['model'] as const } : {}),
    async *check(_answer, { locale, context, ports, clock, signal, memory }): AsyncGenerator<Finding<'CONTEXT_IRRELEVANT'>> {
      const { embedder, model } = ports
      const given = readGiven(context)
      // A missing judge is a mistake of the host, not a YES.
      if (options.strategy === 'llm' && model === undefined) throw new ValidatorUnavailable(noModel)
      const verdict = await judgeRelevance({ ...given, ...options, embedder, model, clock, signal, memory })
      yield* tell(verdict)
      if (!verdict.relevant) {
        const { below, no, hint } = relevanceMessages[locale]
        yield issue(
          'CONTEXT_IRRELEVANT',
          verdict.score === undefined ? no : below(rounded(verdict.score), String(limitOf(verdict, options, embedder))),
          { hint },
        )
      }
    },
    // What is wrong with the context is not wrong with any part of the text.
    incremental: () => ({ push: () => ({ safe: Number.POSITIVE_INFINITY }) }),
  }),
})

function* tell({ relevant, score, strategy, fallback }: RelevanceVerdict): Generator<Finding<never>> {
  if (score !== undefined) yield fact('scores', { context_relevance: score })
  yield fact('relevance', relevant ? 'relevant' : 'irrelevant')
  yield fact('strategy', strategy)
  if (fallback !== undefined) yield fact('fallback', fallback)
}

/** The threshold that was applied: that of the words when they decided in place of vectors. */
function limitOf(verdict: RelevanceVerdict, { strategy, threshold }: Options, embedder: Embedder | undefined): number {
  const { lexical, embedding } = relevanceThresholds
  const usual = verdict.strategy === 'embedding' ? (embedder?.relevanceThreshold ?? embedding) : lexical
  return verdict.strategy === strategy ? (threshold ?? usual) : usual
}

/** Towards zero, so that a score below the threshold does not read like it. */
function rounded(score: number): string {
  return String(Math.floor(score * 100) / 100)
}
