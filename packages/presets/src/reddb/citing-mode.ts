import { clamp } from '@stickler/core/internal'
import type { AskMode, AskWarning } from './wire/envelope.ts'

/** What questions need of a provider. */
export interface Capabilities {
  /** Cites reliably with `[^N]` markers. */
  readonly citations: boolean
  readonly streaming: boolean
}

const everything: Capabilities = { citations: true, streaming: true }

/** Only known gaps count: an unknown name must not turn strict into lenient. */
const gaps: ReadonlyMap<string, Capabilities> = new Map([
  // Small models forget the form of the markers.
  ['ollama', { citations: false, streaming: true }],
  ['huggingface', { citations: false, streaming: false }],
])

/** The capabilities of a provider, by its case-insensitive name. */
export function capabilitiesOf(provider: string): Capabilities {
  return gaps.get(provider.toLowerCase()) ?? everything
}

/** The effective mode, and the warning when it differs from the requested one. */
interface ResolvedMode {
  readonly mode: AskMode
  readonly warning?: AskWarning
}

/** Lowers strict to lenient when the provider cannot cite reliably, and warns. */
export function resolveMode(provider: string, requested: AskMode, { citations }: Pick<Capabilities, 'citations'>): ResolvedMode {
  if (requested === 'lenient' || citations) return { mode: requested }
  const detail = `provider '${quotable(provider)}' does not support reliable citation emission; strict mode downgraded to lenient`
  return { mode: 'lenient', warning: { kind: 'mode_fallback', detail } }
}

/**
 * Keeps plain names; characters that could end the quotes, the line or the reading direction are
 * escaped.
 */
function quotable(name: string): string {
  return clamp(name, 80).replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}'"`\\]/gu, escapeCharacter)
}

function escapeCharacter(character: string): string {
  const hex = (character.codePointAt(0) ?? 0).toString(16)
  return hex.length > 4 ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`
}
