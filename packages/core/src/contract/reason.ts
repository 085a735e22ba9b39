import { errorMessage } from '../answer/thrown.ts'
import { clamp } from './quote.ts'

/** What is called, as sentences name it. */
export type Called =
  | 'classifier'
  | 'reformulation'
  | 'retriever'
  | 'relevance check'
  | 'embeddings endpoint'
  | 'embedding of the query'
  | 'text search'
  | 'vector search'
  | 'index in PostgreSQL'
  | 'index in elasticsearch'
  | 'index in opensearch'

/** The sentence of each code; parameters are never words of a user, a model or a service. */
const sentences = {
  half: (search: 'text' | 'vector') => search,
  late: (called: Called, ms: number) => `the ${called} did not answer within ${ms} ms`,
  failed: (called: Called) => `the ${called} failed`,
  open: (called: Called) => `the ${called} failed too often and is not called for a while`,
  no_answer: (ms: number) => `there was no answer within ${ms} ms`,
  status: (status: number) => `the provider answered with status ${status}`,
  no_type: () => 'the classifier named no type',
  no_query: () => 'the reformulation is not a query on one line',
  no_verdict: () => 'the model answered neither YES nor NO',
  no_subject: () => 'the question has no words that say what it is about',
  missing: (part: 'retriever' | 'embedder' | 'model') => `there is no ${part}`,
  no_chunks: () => 'the retriever returned no list of chunks',
  vector_count: () => 'the embedder did not give a vector for each text',
  vector_lengths: () => 'the vectors are of different dimensions',
  vector_length: (length: number, wanted: number) => `a vector has ${length} numbers instead of ${wanted}`,
  vector_numbers: () => 'the vectors are not numbers, or zero',
  other_embedder: () => 'the index holds vectors of another embedder',
  unopened_index: () => 'the index cannot be opened',
  shutting_down: () => 'the gateway is shutting down',
} as const

type Sentences = typeof sentences

/** A fact that other parts may recognise: a code with its parameters. */
export type ReasonCode = { readonly [Code in keyof Sentences]: readonly [Code, ...Parameters<Sentences[Code]>] }[keyof Sentences]

/** Why something failed: a message, which may repeat others' words, and what of it is a fact of our own, from the outside in. */
export interface Reason {
  readonly message: string
  readonly codes?: readonly ReasonCode[]
}

/** The sentence of codes, without anybody's words; empty when none is known. */
export function sentenceOfCodes(codes: readonly ReasonCode[] = []): string {
  const known = codes.filter(([code]) => Object.hasOwn(sentences, code))
  return known.map(([code, ...given]) => (sentences[code] as (...given: readonly unknown[]) => string)(...given)).join(': ')
}

/** The reason that codes state, with what another service said about it. */
export function because(codes: readonly ReasonCode[], said = ''): Reason {
  return { message: `${sentenceOfCodes(codes)}${said === '' ? '' : `: ${said}`}`, codes }
}

/** An error whose reason may be a code. */
export class ReasonedError extends Error implements Reason {
  declare readonly codes?: readonly ReasonCode[]

  constructor(reason: string | Reason, options?: ErrorOptions) {
    super(typeof reason === 'string' ? reason : reason.message, options)
    if (typeof reason !== 'string' && reason.codes !== undefined) this.codes = reason.codes
  }
}

/** The reason of anything thrown; messages of foreign code are clamped. */
export function reasonOf(thrown: unknown, longest = 200): Reason {
  const message = clamp(errorMessage(thrown), longest)
  return thrown instanceof ReasonedError && thrown.codes !== undefined ? { message, codes: thrown.codes } : { message }
}
