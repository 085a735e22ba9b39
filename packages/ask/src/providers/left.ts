import type { AskRefused } from '../reply/reply.ts'

/** The reply to whoever has left. */
export const leftReply: AskRefused = { ok: false, status: 499, error: 'the stream was left before its end' }
