import { ParserUnavailable, type SyntaxParser, type SyntaxVerdict } from '@stickler/core/validators'
import type { FromThread, ParseFailure } from './messages.ts'
import { PendingReplies } from './pending-replies.ts'

/** The parser of the process, called from a thread by messages. */
export class MessageParser implements SyntaxParser {
  readonly #tell: (message: FromThread) => void
  readonly #replies = new PendingReplies<SyntaxVerdict>()

  constructor(tell: (message: FromThread) => void) {
    this.#tell = tell
  }

  parse(language: string, source: string, signal?: AbortSignal): Promise<SyntaxVerdict> {
    return this.#replies.ask((id) => this.#tell({ parse: id, language, source }), signal, gaveUp)
  }

  /** Takes a reply; one that nobody waits for any more is ignored. */
  take(id: number, answer: SyntaxVerdict | ParseFailure): void {
    const waiting = this.#replies.get(id)
    if ('verdict' in answer) waiting?.resolve(answer)
    else waiting?.reject(new ParserUnavailable(answer.message, answer.reason, answer.circuit, answer.fault))
  }
}

function gaveUp(): ParserUnavailable {
  return new ParserUnavailable('the check is over', 'aborted')
}
