/** What a bracket has opened: `call` is the parenthesis after a function's name. */
type FrameKind = 'object' | 'array' | 'call'

/** One open bracket. */
export interface Frame {
  readonly kind: FrameKind
  /** Whether it already has a member or item. */
  filled: boolean
  /** Offset of the comma that waits for what it separates; -1 when none does. */
  comma: number
  /** Offset of the last comma that was right. */
  lastComma: number
  /** Number of changes before that comma. */
  commaEdits: number
  /** Depth of the innermost open object and array, this one included; -1 when there is none. */
  readonly object: number
  readonly array: number
}

/** The brackets that are open. */
export class Frames {
  readonly #list: Frame[] = []

  get depth(): number {
    return this.#list.length
  }

  get top(): Frame | undefined {
    return this.#list.at(-1)
  }

  get parent(): Frame | undefined {
    return this.#list.at(-2)
  }

  at(depth: number): Frame | undefined {
    return this.#list[depth]
  }

  push(kind: FrameKind): void {
    const top = this.top
    const depth = this.#list.length
    this.#list.push({
      kind,
      filled: false,
      comma: -1,
      lastComma: -1,
      commaEdits: 0,
      object: kind === 'object' ? depth : (top?.object ?? -1),
      array: kind === 'array' ? depth : (top?.array ?? -1),
    })
  }

  pop(): void {
    this.#list.pop()
  }

  /** The closers that are missing, the innermost first; `limit` of them at most. */
  closers(limit = this.#list.length): string {
    const closers: string[] = []
    for (let depth = this.#list.length - 1; depth >= 0 && closers.length < limit; depth--) {
      const closer = closerOf(this.#list[depth]?.kind)
      if (closer !== '') closers.push(closer)
    }
    return closers.join('')
  }
}

/** The bracket that closes a frame; a call has none in JSON. */
export function closerOf(kind: FrameKind | undefined): string {
  if (kind === 'object') return '}'
  return kind === 'array' ? ']' : ''
}
