import { answerTokenFrame, errorFrame, sourcesFrame, validationFrame } from '@stickler/presets/internal'
import type { AskStep } from '../providers/ask-step.ts'
import type { AskReply } from './reply.ts'

/** The frame of one step of an answer: its sources, or the next piece of it. */
export function stepFrame(step: AskStep): string {
  return typeof step === 'string' ? answerTokenFrame(step) : sourcesFrame(step.sources)
}

/** The last frame of a stream. */
export function lastFrame(reply: AskReply): string {
  if (!reply.ok) return errorFrame({ ...reply, code: reply.status, message: reply.error })
  const { envelope } = reply
  return validationFrame({ ...envelope.validation, audit: envelope })
}
