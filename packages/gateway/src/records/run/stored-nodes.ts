import { nodeNames } from '@stickler/ask/internal'
import type { NodeTrace } from '@stickler/ask/pipeline'
import { clamp, sentenceOfCodes } from '@stickler/core/internal'

/** Limits for the stored path through a graph. */
const most = { nodes: 32, chunks: 50, name: 512, words: 500 } as const

/** Replaces words that other services may have chosen. */
const unsaid = 'not kept'

/** Limits nodes for storage, and without texts removes words of queries and services. Names of passages stay. */
export function keptNodes(nodes: readonly NodeTrace[], keepText: boolean): readonly NodeTrace[] {
  return nodes.slice(0, most.nodes).map((node) => keptNode(node, keepText))
}

function keptNode(trace: NodeTrace, keepText: boolean): NodeTrace {
  const { query, chunks, relevance, degraded, ...rest } = trace
  const words = (text: string): string => (keepText ? clamp(text, most.words) : sentenceOfCodes(rest.codes) || unsaid)
  return {
    ...rest,
    ...(query !== undefined && keepText ? { query: words(query) } : {}),
    ...(chunks === undefined
      ? {}
      : { chunks: chunks.slice(0, most.chunks).map(({ urn, score }) => ({ urn: clamp(urn, most.name), score })) }),
    ...(relevance === undefined
      ? {}
      : { relevance: relevance.fallback === undefined ? relevance : { ...relevance, fallback: words(relevance.fallback) } }),
    ...(degraded === undefined ? {} : { degraded: words(degraded) }),
  }
}

/** Reads stored nodes; undefined for any other value, such as rows of a later version. */
export function readNodes(json: string): readonly NodeTrace[] | undefined {
  try {
    const nodes = JSON.parse(json) as unknown
    return Array.isArray(nodes) ? (nodes as NodeTrace[]).filter(({ node }) => nodeNames.includes(node)) : undefined
  } catch {
    return undefined
  }
}
