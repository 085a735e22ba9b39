import type { AskSource } from '../reply/envelope.ts'

/** What a question yields on its way: its sources, once, as soon as they are known, and then text that may be shown. */
export type AskStep = string | { readonly sources: readonly AskSource[] }
