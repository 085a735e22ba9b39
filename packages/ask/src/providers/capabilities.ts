import { clamp } from '@stickler/core/internal'
import type { AskMode, AskWarning } from '@stickler/presets/internal'

/** What a provider can do. */
export interface Capabilities {
  /** Cites reliably with `[^N]` markers. */
  readonly citations: boolean
  readonly seed: boolean
  readonly temperature: boolean
  readonly streaming: boolean
}

/** The effective mode, and the warning when it differs from the requested one. */
export interface ResolvedMode {
  readonly mode: AskMode
  readonly warning?: AskWarning
}

const everything: Capabilities = { citations: true, seed: true, temperature: true, streaming: true }
const nothing: Capabilities = { citations: false, seed: false, temperature: false, streaming: false }
/** Only known gaps count: an unknown name must not turn strict into lenient. */
const unknown: Capabilities = { ...everything, seed: false }

const builtIn: ReadonlyMap<string, Capabilities> = new Map([
  ['openai', everything],
  ['groq', everything],
  ['together', everything],
  ['openrouter', everything],
  ['venice', everything],
  ['deepseek', everything],
  ['anthropic', { ...everything, seed: false }],
  // Small models forget the form of the markers.
  ['ollama', { ...everything, citations: false }],
  ['huggingface', { ...nothing, temperature: true }],
])

/**
 * The capabilities of a provider, by its case-insensitive name; overrides take precedence over the
 * built-in ones.
 */
export function capabilitiesOf(provider: string, overrides: Readonly<Record<string, Partial<Capabilities>>> = {}): Capabilities {
  const token = provider.toLowerCase()
  return Object.entries(overrides)
    .filter(([name]) => name.toLowerCase() === token)
    .reduce((row, [, override]) => merge(row, override), builtIn.get(token) ?? unknown)
}

/** Lowers strict to lenient when the provider cannot cite reliably, and warns. */
export function resolveMode(provider: string, requested: AskMode, capabilities: Capabilities): ResolvedMode {
  if (requested === 'lenient' || capabilities.citations) return { mode: requested }
  const detail = `provider '${quotable(provider)}' does not support reliable citation emission; strict mode downgraded to lenient`
  return { mode: 'lenient', warning: { kind: 'mode_fallback', detail } }
}

function merge(row: Capabilities, override: Partial<Capabilities>): Capabilities {
  return {
    citations: override.citations ?? row.citations,
    seed: override.seed ?? row.seed,
    temperature: override.temperature ?? row.temperature,
    streaming: override.streaming ?? row.streaming,
  }
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
