import type { Clock, Message } from '@stickler/core'
import { utf8Length } from '@stickler/core/runners'
import type { AskSource } from '../reply/envelope.ts'
import type { CostLimits } from '../spending/cost-guard.ts'
import { askPrompt } from './prompt.ts'
import type { AskRequest } from './request.ts'
import { deriveSeed } from './seed.ts'
import { contentVersion, sourcesFingerprint } from './sources-fingerprint.ts'

/** A request with everything that does not depend on the provider. */
export interface Question {
  readonly request: AskRequest
  readonly prompt: readonly Message[]
  readonly fingerprint: string
  readonly seed: bigint
  readonly sourcesBytes: number
  /** The sources with their versions, in the order that markers count. */
  readonly sourceNames: readonly string[]
  readonly limits: CostLimits
  /** Milliseconds since the question was asked. */
  elapsed(): number
}

/** Prepares a question: prompt, fingerprint and seed. */
export async function prepareQuestion(request: AskRequest, limits: CostLimits, clock: Clock): Promise<Question> {
  const started = clock.now()
  const versioned = await versionsOf(request.sources)
  const fingerprint = await sourcesFingerprint(versioned)
  return {
    request,
    prompt: askPrompt(request.question, request.sources),
    fingerprint,
    seed: await deriveSeed(request.question, fingerprint),
    sourcesBytes: request.sources.reduce((sum, { payload }) => sum + utf8Length(payload), 0),
    sourceNames: versioned.map(({ urn, version }) => `${version} ${urn}`),
    limits,
    elapsed: () => Math.floor(clock.now() - started),
  }
}

/** How many sources are hashed before others get their turn. */
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
