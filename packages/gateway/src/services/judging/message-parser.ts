import { ParserUnavailable, type SyntaxParser, type SyntaxVerdict } from '@stickler/core/syntax'
import type { FromThread, ParseFailure } from './messages.ts'

interface Waiting {
  readonly resolve: (verdict: SyntaxVerdict) => void
  readonly reject: (failure: ParserUnavailable) => void
}

/** The parser of the process, called from a thread by messages. */
export class MessageParser implements SyntaxParser {
  readonly #tell: (message: FromThread) => void
  readonly #waiting = new Map<number, Waiting>()
  #last = 0

  constructor(tell: (message: FromThread) => void) {
    this.#tell = tell
  }

  async parse(language: string, source: string, signal?: AbortSignal): Promise<SyntaxVerdict> {
    if (signal?.aborted) throw gaveUp()
    const id = ++this.#last
    const leave = (): void => this.#waiting.get(id)?.reject(gaveUp())
    try {
      return await new Promise<SyntaxVerdict>((resolve, reject) => {
        this.#waiting.set(id, { resolve, reject })
        signal?.addEventListener('abort', leave)
        this.#tell({ parse: id, language, source })
      })
    } finally {
      this.#waiting.delete(id)
      signal?.removeEventListener('abort', leave)
    }
  }

  /** Takes a reply; one that nobody waits for any more is ignored. */
  take(id: number, answer: SyntaxVerdict | ParseFailure): void {
    const waiting = this.#waiting.get(id)
    if ('verdict' in answer) waiting?.resolve(answer)
    else waiting?.reject(new ParserUnavailable(answer.message, answer.reason, answer.circuit, answer.fault))
  }
}

function gaveUp(): ParserUnavailable {
  return new ParserUnavailable('the check is over', 'aborted')
}
