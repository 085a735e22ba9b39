import type { Role } from './statement.ts'

/** A statement that opens, divides or closes a block. */
export interface Mark {
  readonly role: Role
  readonly label: string
  readonly line: number
  readonly start: number
  readonly end: number
  /** White space before it, for which of several open blocks is blamed. */
  readonly indent: number
  /** Whether the statement has a fault already: then it causes no second one. */
  readonly isFaulty: boolean
}

/** Blocks by what closes them. */
export type Kind = 'block' | 'loop' | 'try' | 'function' | 'handler' | 'foreign'

/** A block that may be open. */
export interface Frame {
  readonly kind: Kind
  readonly mark: Mark
  /** The `else()` that divides it. */
  divider?: Mark
  /** Whether it must still be closed: handlers close by themselves, and after a choice either of two blocks may have been closed. */
  mustClose: boolean
  /** The block that seems to have taken this one's end, judged by indentation. */
  blamed?: Frame
}

/** The blocks around a statement, innermost last. */
export class Frames {
  /** Those that must be closed. */
  readonly open: Frame[] = []
  /** Those that must be closed, by kind. */
  readonly openOf: Readonly<Record<Kind, Frame[]>> = { block: [], loop: [], try: [], function: [], handler: [], foreign: [] }
  readonly #all: Frame[] = []

  get top(): Frame | undefined {
    return this.#all.at(-1)
  }

  /** Whether any block is one that may be closed already. */
  get hasOptional(): boolean {
    return this.#all.length > this.open.length
  }

  push(kind: Kind, mark: Mark, mustClose: boolean): void {
    const frame: Frame = { kind, mark, mustClose }
    this.#all.push(frame)
    if (!mustClose) return
    this.open.push(frame)
    this.openOf[kind].push(frame)
  }

  pop(): Frame | undefined {
    const frame = this.#all.pop()
    if (frame?.mustClose) this.release(frame)
    return frame
  }

  /** The innermost block that is meant and has no block inside that must be closed; everything inside of it is removed. */
  reach(isMeant: (frame: Frame) => boolean): Frame | undefined {
    let at = this.#all.length - 1
    for (let frame = this.#all[at]; frame !== undefined && !isMeant(frame); frame = this.#all[--at]) if (frame.mustClose) return undefined
    while (at >= 0 && this.#all.length > at + 1) this.pop()
    return this.#all[at]
  }

  /** Removes everything down to a block, and the block. */
  dropTo(frame: Frame): void {
    for (let last = this.pop(); last !== undefined && last !== frame; ) last = this.pop()
  }

  /** The innermost block that must be closed need not be any more. */
  release(frame: Frame): void {
    frame.mustClose = false
    this.open.pop()
    this.openOf[frame.kind].pop()
  }
}
