import type { AskSource } from '@stickler/presets/internal'

/** What answering a question yields: its sources, once known, and then released text. */
export type AskStep = string | { readonly sources: readonly AskSource[] }
