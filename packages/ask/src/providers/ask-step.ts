import type { AskSource } from '../reply/envelope.ts'

/** What answering a question yields: its sources, once known, and then released text. */
export type AskStep = string | { readonly sources: readonly AskSource[] }
