import { utf8Length } from '@stickler/core/internal'
import type { AskSource, CostLimits } from '@stickler/presets/internal'
import { contentVersion, deriveSeed, sourcesFingerprint } from '@stickler/presets/internal'
import type { QuestionParts } from './question-parts.ts'
import type { ReadRequest } from './request.ts'

/** A request with everything that does not depend on the provider. */
export interface Question extends QuestionParts {
  readonly request: ReadRequest
  readonly fingerprint: string
  readonly seed: bigint
  readonly sourcesBytes: number
  /** The sources with their versions, in marker order. */
  readonly sourceNames: readonly string[]
  readonly limits: CostLimits
  /** Milliseconds since the question was asked. */
  elapsed(): number
}

/** Builds a question from its parts: fingerprint and seed are those of the used sources. */
export async function questionOf(
  parts: QuestionParts,
  { request, limits, elapsed }: Pick<Question, 'request' | 'limits' | 'elapsed'>,
): Promise<Question> {
  const versioned = await versionsOf(parts.sources)
  const fingerprint = await sourcesFingerprint(versioned)
  return {
    ...parts,
    request,
    fingerprint,
    seed: await deriveSeed(request.question, fingerprint),
    sourcesBytes: parts.sources.reduce((sum, { payload }) => sum + utf8Length(payload), 0),
    sourceNames: versioned.map(({ urn, version }) => `${version} ${urn}`),
    limits,
    elapsed,
  }
}

/** How many sources are hashed before yielding to other work. */
const slice = 64

async function versionsOf(sources: readonly AskSource[]): Promise<{ readonly urn: string; readonly version: bigint }[]> {
  const versioned: { readonly urn: string; readonly version: bigint }[] = []
  for (let from = 0; from < sources.length; from += slice) {
    const some = sources.slice(from, from + slice)
    const named = some.map(async ({ urn, payload, version }) => ({ urn, version: version ?? (await contentVersion(payload)) }))
    versioned.push(...(await Promise.all(named)))
  }
  return versioned
}
