import { HttpError } from '@stickler/core/internal/apis'
import type { WireQuestion } from './proto.ts'

/** Longer session names are rejected. */
const longestSession = 256

/** The placeholder for bytes that are not a question. */
export type ReadQuestion = WireQuestion | 'malformed' | 'not-utf8'

/** Reads questions; the library would replace bytes that are not UTF-8. */
export function strictly(deserialize: (bytes: Buffer) => WireQuestion): (bytes: Buffer) => ReadQuestion {
  return (bytes) => {
    try {
      const question = deserialize(bytes)
      // Valid text is contained byte for byte.
      const isWhole = (text: string): boolean => !text.includes('\ufffd') || bytes.includes(text)
      return isWhole(question.query) && isWhole(question.sessionId) ? question : 'not-utf8'
    } catch {
      return 'malformed'
    }
  }
}

/** Throws an HttpError for invalid questions. */
export function soundQuestion(read: ReadQuestion): WireQuestion {
  if (read === 'malformed') throw wrong('the request is not an AgentRequest')
  if (read === 'not-utf8') throw wrong('the request has text that is not UTF-8')
  if (read.query.trim() === '') throw wrong('query: must be a non-empty string')
  if (read.sessionId.length > longestSession) throw wrong(`session_id: must have at most ${longestSession} characters`)
  return read
}

function wrong(message: string): HttpError {
  return new HttpError(400, message)
}
