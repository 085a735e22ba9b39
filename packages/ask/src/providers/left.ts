import type { AskRefused } from '../reply/reply.ts'

/** The reply when the caller has left. */
export const leftReply: AskRefused = { ok: false, status: 499, error: 'the stream was abandoned before its end' }
