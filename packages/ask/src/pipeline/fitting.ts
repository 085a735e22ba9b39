import type { Message } from '@stickler/core'
import type { AskSource, PipelineDefinition } from '@stickler/presets/internal'
import { sourcesOf } from '../retrieval/passage-text.ts'
import type { RetrievedChunk } from '../retrieval/retriever.ts'
import { promptOf } from './prompts.ts'
import type { PipelineState } from './state.ts'

/** Whether a prompt over these sources may be sent. */
export type Fits = (prompt: readonly Message[], sources: readonly AskSource[]) => boolean

/** The best chunks that fit together, in order: one that is too large is skipped for the next. */
export function fitting(
  state: PipelineState,
  chunks: readonly RetrievedChunk[],
  { pipeline, fits }: { readonly pipeline: PipelineDefinition; readonly fits?: Fits },
): readonly RetrievedChunk[] {
  if (fits === undefined) return chunks
  const isWithin = (some: readonly RetrievedChunk[]): boolean => fits(promptOf({ ...state, chunks: some }, pipeline), sourcesOf(some))
  if (isWithin(chunks)) return chunks
  const kept: RetrievedChunk[] = []
  for (const chunk of chunks) if (isWithin([...kept, chunk])) kept.push(chunk)
  return kept
}
