import { HttpError } from '../../front/replies/http-error.ts'
import type { WireQuestion } from './agent-proto.ts'

/** Longer names of sessions are refused. */
const longestSession = 256

/** What bytes that are not a question are read as. */
export type ReadQuestion = WireQuestion | 'malformed' | 'not-utf8'

/** Reads questions; the library would read bytes that are not UTF-8 as other characters. */
export function strictly(deserialize: (bytes: Buffer) => WireQuestion): (bytes: Buffer) => ReadQuestion {
  return (bytes) => {
    try {
      const question = deserialize(bytes)
      // A text that was valid is there byte for byte.
      const isWhole = (text: string): boolean => !text.includes('\ufffd') || bytes.includes(text)
      return isWhole(question.query) && isWhole(question.sessionId) ? question : 'not-utf8'
    } catch {
      return 'malformed'
    }
  }
}

/** Throws an HttpError for questions that cannot be asked. */
export function soundQuestion(read: ReadQuestion): WireQuestion {
  if (read === 'malformed') throw wrong('the request is not an AgentRequest')
  if (read === 'not-utf8') throw wrong('the request has text that is not UTF-8')
  if (read.query.trim() === '') throw wrong('query: must be a text that is not empty')
  if (read.sessionId.length > longestSession) throw wrong(`session_id: must have at most ${longestSession} characters`)
  return read
}

function wrong(message: string): HttpError {
  return new HttpError(400, message)
}
