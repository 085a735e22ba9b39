import type { SyntaxVerdict } from '@stickler/core/validators'
import type { LocalParser } from '../local/local-parser.ts'

/** A call that a fake parser has taken. */
interface TakenCall {
  readonly language: string
  readonly source: string
  readonly signal: AbortSignal | undefined
}

/** A parser without threads that follows a script, and remembers its calls. */
export function fakeParser(
  answer: (call: TakenCall) => SyntaxVerdict | Promise<SyntaxVerdict> = () => ({ verdict: 'valid' }),
): LocalParser & { readonly calls: readonly TakenCall[]; readonly isClosed: boolean } {
  const calls: TakenCall[] = []
  let isClosed = false
  return {
    calls,
    get isClosed() {
      return isClosed
    },
    languages: () => ['fake'],
    async parse(language, source, signal) {
      const call = { language, source, signal }
      calls.push(call)
      return answer(call)
    },
    async close() {
      isClosed = true
    },
  }
}
