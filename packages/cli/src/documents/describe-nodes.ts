import type { AskEnvelope } from '@stickler/ask'
import type { NodeTrace } from '@stickler/ask/pipeline'
import { clip, count } from '../terminal/text.ts'

/** What each node of a question did, line by line. */
export function describeNodes(nodes: readonly NodeTrace[]): string[] {
  return nodes.flatMap((trace) => {
    const { chunks = [], degraded } = trace
    return [
      `${trace.node.padEnd(24)} ${trace.ms.toFixed(1).padStart(8)} ms  ${said(trace).join(', ')}`.trimEnd(),
      ...chunks.map(({ urn, ranks = {} }, index) => `  ${index + 1}. ${clip(placeOf(urn))}${ranksOf(ranks)}`),
      ...(degraded === undefined ? [] : [`  ${clip(degraded)}`]),
    ]
  })
}

/** Fused scores mean little on their own; ranks in each search are shown instead. */
function ranksOf({ text, vector }: { readonly text?: number; readonly vector?: number }): string {
  const places = [...(text === undefined ? [] : [`text ${text}`]), ...(vector === undefined ? [] : [`vector ${vector}`])]
  return places.length === 0 ? '' : `  (${places.join(', ')})`
}

function said({ type, query, chunks, left_out: leftOut, relevance, attempts, verdict }: NodeTrace): string[] {
  return [
    ...(type === undefined ? [] : [`${type.is} by ${type.by}`]),
    ...(query === undefined ? [] : [clip(query, 200)]),
    ...(chunks === undefined ? [] : [count(chunks.length, 'chunk')]),
    ...(leftOut === undefined ? [] : [`${leftOut} omitted to keep the prompt within its limit`]),
    ...(relevance === undefined ? [] : [relevanceOf(relevance)]),
    ...(attempts === undefined ? [] : [count(attempts, 'attempt')]),
    ...(verdict === undefined ? [] : [verdict]),
  ]
}

function relevanceOf({ relevant, strategy, score, fallback }: NonNullable<NodeTrace['relevance']>): string {
  const figure = score === undefined ? '' : ` ${score.toFixed(2)}`
  return `${relevant ? 'relevant' : 'not relevant'} (${strategy}${figure})${fallback === undefined ? '' : `: ${clip(fallback, 200)}`}`
}

/** The sources that an answer cites, one below the other, by their numbers. */
export function citedSources({ citations, sources_flat: sources }: Pick<AskEnvelope, 'citations' | 'sources_flat'>): string {
  const cited = [...new Set(citations.map(({ source_index: index }) => index))].sort((a, b) => a - b)
  const lines = cited.flatMap((index) => {
    const source = sources[index]
    return source === undefined ? [] : [`[${index + 1}] ${clip(placeOf(source.urn))}`]
  })
  return lines.length === 0 ? '' : `\n${lines.join('\n')}\n`
}

/** A passage as `path:from-to`, which terminals and editors link: `docs/a.md:10-42`. */
export function placeOf(urn: string): string {
  const lines = /#L(\d+)(?:C\d+)?(?:-L(\d+)(?:C\d+)?)?$/.exec(urn)
  if (lines === null) return urn
  const [, first = '', last = first] = lines
  return `${urn.slice(0, lines.index)}:${first}${first === last ? '' : `-${last}`}`
}
