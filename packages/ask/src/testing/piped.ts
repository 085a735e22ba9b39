import { ParserUnavailable, type SyntaxParser } from '@stickler/core/validators'
import type { PipelineDefinition } from '@stickler/presets/internal'
import { pipelines } from '@stickler/presets/internal'
import type { AskPipeline } from '../answering/prepare-question.ts'
import type { PrepareOptions } from '../pipeline/options.ts'
import { preparePipeline } from '../pipeline/prepare.ts'
import type { RelevanceJudge } from '../pipeline/relevance-judge.ts'
import type { AskAnswered, AskReply } from '../reply/reply.ts'
import { type RetrievedChunk, type Retriever, RetrieverUnavailable } from '../retrieval/retriever.ts'

/** What tests look up. */
export const passages: readonly RetrievedChunk[] = [
  { urn: 'docs/a.md#L1', text: 'Hashes are made with encodeSHA256.', headings: ['Hashes'], score: 0.03, ranks: { text: 1 } },
  { urn: 'docs/b.md#L1', text: 'Loops begin with startLoop.', headings: [], score: 0.02, ranks: { text: 2, vector: 1 } },
]

/** A retriever that finds the same for everything, and remembers what it was asked. */
export function fixedRetriever(found: readonly RetrievedChunk[] | Error = passages): Retriever & { readonly queries: string[] } {
  const queries: string[] = []
  return {
    queries,
    async retrieve(query) {
      queries.push(query)
      if (found instanceof Error) throw found
      return { chunks: found }
    },
  }
}

/** A retriever that cannot look. */
export const downRetriever = (): Retriever => fixedRetriever(new RetrieverUnavailable('the index cannot be reached'))

/** Reports that it was called, and then never ends, even when aborted. */
export function hanging(onCall = (): void => {}): () => Promise<never> {
  return () => {
    onCall()
    return new Promise(() => {})
  }
}

/** Judges by a script. */
export function judge(relevant: boolean, score = relevant ? 0.9 : 0.1): RelevanceJudge {
  return async () => ({ relevant, score, strategy: 'lexical' })
}

/** The pipeline that tests go through. */
export const definition = pipelines.avap as PipelineDefinition
/** What tests ask. */
export const question = 'How are hashes made?'
/** An answer with code that is right. */
export const good = 'Like this:\n\n```avap\naddVar(a, 1)\n```'
/** An answer with code that is wrong. */
export const bad = 'Like this:\n\n```avap\ngetSHA256(a)\n```'

/** Knows one wrong command; may be gone. */
export function parser(isGone = false): SyntaxParser {
  return {
    async parse(_language, source) {
      if (isGone) throw new ParserUnavailable('the circuit is open', 'fault')
      if (!source.includes('getSHA256')) return { verdict: 'valid' }
      return { verdict: 'invalid', trace: [{ line: 1, column: 1, endLine: 1, endColumn: 9, message: "unknown command 'getSHA256'" }] }
    },
  }
}

/** A pipeline with what it needs. */
export function piped(
  options: Partial<PrepareOptions> = {},
  more: Omit<AskPipeline, 'prepare'> = { ports: { parser: parser() } },
): AskPipeline {
  return { prepare: preparePipeline({ pipeline: definition, retriever: fixedRetriever(), relevance: judge(true), ...options }), ...more }
}

/** The answer of a reply. */
export const asked = (reply: AskReply): AskAnswered => {
  if (!reply.ok) throw new Error(`refused: ${reply.error}`)
  return reply
}
/** The nodes that a question went through. */
export const nodesOf = (reply: AskReply): string => (reply.nodes ?? []).map(({ node }) => node).join(' ')
/** How most questions begin. */
export const firstTwo = 'classify reformulate retrieve'

/** The events of a stream. */
export async function framesOf(
  frames: AsyncIterable<string>,
): Promise<{ readonly event: string; readonly data: Record<string, unknown> }[]> {
  const all: string[] = []
  for await (const frame of frames) all.push(frame)
  return all.map((frame) => {
    const [, event = '', data = ''] = /^event: (\w+)\ndata: (.*)\n\n$/.exec(frame) ?? []
    return { event, data: JSON.parse(data) as Record<string, unknown> }
  })
}
