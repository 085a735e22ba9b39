import type { QuestionParts } from '@stickler/ask/internal'
import { utf8Length } from '@stickler/core/internal'
import { deriveSeed, sourcesFingerprint, versionedSources } from '@stickler/presets/internal'
import type { ReadRequest } from './read-request.ts'

/** A question with its sources, and what an answer depends on besides. */
export interface SourcedQuestion {
  readonly request: ReadRequest
  readonly parts: QuestionParts
  readonly fingerprint: string
  /** The sources with their versions: markers count them, so an answer fits no other order. */
  readonly sourceNames: readonly string[]
  readonly sourcesBytes: number
  readonly seed: bigint
  readonly temperature: number
}

/** Fingerprint and seed are those of the used sources. */
export async function sourcedQuestion(request: ReadRequest, parts: QuestionParts): Promise<SourcedQuestion> {
  const { question, temperature = 0, seed } = request
  const versioned = await versionedSources(parts.sources)
  const fingerprint = await sourcesFingerprint(versioned)
  return {
    request,
    parts,
    fingerprint,
    sourceNames: versioned.map(({ urn, version }) => `${version} ${urn}`),
    sourcesBytes: parts.sources.reduce((sum, { payload }) => sum + utf8Length(payload), 0),
    seed: seed ?? (await deriveSeed(question, fingerprint)),
    temperature,
  }
}
