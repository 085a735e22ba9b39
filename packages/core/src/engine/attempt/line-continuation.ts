import type { ContinuationStep } from './continuation.ts'

const pending: ContinuationStep = { kind: 'pending' }

/** Fits a reply to whole lines that have been delivered, which may begin alike: lines that it repeats are cut off. */
export class LineContinuation {
  /** The lines that were delivered, each as it was shown and as the model wrote it. */
  readonly #lines: readonly (readonly string[])[]
  readonly #restarts: boolean
  #reply = ''
  /** Where the next line of the reply begins, and what is left of it from there on: marks of a fence count as no line. */
  #at = 0
  #lead = ''
  #repeated = 0
  #isDecided = false

  /** With `restarts`, a reply that changes lines as it repeats them follows them. */
  constructor(delivered: string, written: string, restarts: boolean) {
    const [shown, wrote] = [visibleLines(delivered), visibleLines(written)]
    this.#lines = shown.map((line, index) => (shown.length === wrote.length ? [line, wrote[index] as string] : [line]))
    this.#restarts = restarts
  }

  /** Takes the next piece of the reply and returns what follows the delivered lines, as far as that is decided. */
  push(chunk: string): ContinuationStep {
    if (this.#isDecided) return { kind: 'text', text: chunk }
    this.#reply += chunk
    // To search what was searched before would not be linear.
    if (!chunk.includes('\n')) return pending
    for (let end = this.#reply.indexOf('\n', this.#at); end >= 0; end = this.#reply.indexOf('\n', this.#at)) {
      const step = this.#take(end + 1)
      if (step) return step
    }
    return pending
  }

  /** Ends the reply. */
  end(): ContinuationStep {
    const step = this.#isDecided ? undefined : this.#take(this.#reply.length)
    return step ?? { kind: 'text', text: '' }
  }

  #take(end: number): ContinuationStep | undefined {
    const written = this.#reply.slice(this.#at, end)
    const line = written.trim()
    if (line === '') this.#at = end
    else if (isFence(line)) {
      this.#lead += written
      this.#at = end
    } else if (this.#lines[this.#repeated]?.includes(line)) {
      this.#at = end
      return ++this.#repeated === this.#lines.length ? this.#decide() : undefined
    } else if (this.#repeated > 0) return this.#restarts ? this.#decide(0) : { kind: 'contradiction' }
    else {
      if (this.#lines.at(-1)?.includes(line)) this.#at = end
      return this.#decide()
    }
    return undefined
  }

  #decide(from = this.#at): ContinuationStep {
    this.#isDecided = true
    return { kind: 'text', text: (from === 0 ? '' : this.#lead) + this.#reply.slice(from) }
  }
}

function visibleLines(text: string): readonly string[] {
  return text.split('\n').flatMap((line) => (line.trim() === '' || isFence(line.trim()) ? [] : [line.trim()]))
}

function isFence(line: string): boolean {
  return line.startsWith('```') || line.startsWith('~~~')
}
