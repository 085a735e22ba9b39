import { type Frame, Frames, type Kind, type Mark } from './frames.ts'
import type { Role } from './statement.ts'

/** A fault of the blocks: at a mark. */
interface BlockFault {
  readonly mark: Mark
  readonly message: string
  readonly suggestion?: string
}

const opens: Partial<Readonly<Record<Role, Kind>>> = {
  if: 'block',
  block: 'block',
  loop: 'loop',
  try: 'try',
  function: 'function',
  foreign: 'foreign',
}
const closes: Partial<Readonly<Record<Role, Kind>>> = { end: 'block', endLoop: 'loop', exception: 'try', brace: 'function' }
const closedBy: Readonly<Record<Kind, string>> = {
  block: 'end()',
  loop: 'endLoop()',
  try: 'exception(...)',
  function: '}',
  handler: 'end()',
  foreign: 'end()',
}
const nothingOpen: Partial<Readonly<Record<Role, string>>> = {
  end: 'no block that it closes is open',
  endLoop: "no 'startLoop(...)' is open",
  exception: "no 'try()' is open",
  else: "no 'if(...)' is open",
  brace: 'no function is open',
}

/** The faults of the blocks that marks open and close, and not many more than `most` of them. */
export function blockFaults(marks: readonly Mark[], most: number): readonly BlockFault[] {
  const checker = new BlockChecker(marks)
  for (const [index, mark] of marks.entries()) {
    if (checker.faults.length >= most) return checker.faults
    const opened = opens[mark.role]
    const closed = closes[mark.role]
    // What is open inside may have to be given up first, block by block.
    if (opened !== undefined) checker.frames.push(opened, mark, opened !== 'foreign' && !mark.isFaulty)
    else if (closed !== undefined) while (!checker.close(mark, closed, index));
    else if (!mark.isFaulty) while (!checker.divide(mark, index));
  }
  for (const frame of checker.frames.open.slice(0, most)) checker.unclosed(frame)
  return checker.faults
}

class BlockChecker {
  readonly faults: BlockFault[] = []
  readonly frames = new Frames()
  /** The last closer of each kind that is not below its block. */
  readonly #doubtful = new Map<Kind, { readonly mark: Mark; readonly frame: Frame }>()
  readonly #ahead: Readonly<Partial<Record<Kind, Int32Array>>>

  constructor(marks: readonly Mark[]) {
    this.#ahead = lookAhead(marks)
  }

  /** Closes a block of a kind; false when it gave up one inside of it, and must be called again. */
  close(mark: Mark, kind: Kind, index: number): boolean {
    const { top, open, openOf, hasOptional } = this.frames
    const inner = open.at(-1)
    const isThere = openOf[kind].length > 0 || (kind === 'block' && hasOptional)
    // What is wrong on the line itself was perhaps not meant to close anything.
    if (mark.isFaulty && this.#closeLater(kind, index)) return true
    if (top !== undefined && !top.mustClose && (kind === 'block' || kind === top.kind || top.mark.isFaulty)) this.#closeEither(kind)
    else if (inner?.kind === kind) this.#closeInner(mark, inner)
    else if (inner === undefined || (kind === 'try' && !isThere)) return this.#stray(mark, kind)
    else if (this.#closeLater(isThere && kind !== 'block' ? kind : inner.kind, index)) return this.#stray(mark, kind)
    else if (isThere) return this.#giveUp(inner)
    else {
      this.#report(
        mark,
        `unexpected '${mark.label}' — '${inner.mark.label}' of line ${inner.mark.line} closes with '${closedBy[inner.kind]}'`,
      )
      this.frames.dropTo(inner)
    }
    return true
  }

  /** Begins the second half of an `if`; false when it gave up a block inside of it, and must be called again. */
  divide(mark: Mark, index: number): boolean {
    const { open, top } = this.frames
    // What opened the block has a fault already, and may be what is divided.
    if (top?.mark.isFaulty) return true
    const divided = this.frames.reach(({ mark: { role }, divider }) => role === 'if' && divider === undefined)
    const inner = open.at(-1)
    const outer = open.at(-2)
    if (divided !== undefined) divided.divider = mark
    else if (inner === undefined) return this.#stray(mark, 'block')
    else if (outer?.mark.role === 'if' && outer.divider === undefined && !this.#closeLater(inner.kind, index)) return this.#giveUp(inner)
    else if (inner.mark.role !== 'if') return this.#stray(mark, 'block')
    else this.#secondElse(mark, inner)
    return true
  }

  unclosed(frame: Frame): void {
    const { mark, kind } = frame.blamed ?? frame
    const state = kind === 'try' ? 'has no handler' : 'not closed'
    this.#report(mark, `'${mark.label}' ${state} — expected '${closedBy[kind]}'`, closedBy[kind])
  }

  /** Whether the rest of the program has a closer for every open block of a kind. */
  #closeLater(kind: Kind, index: number): boolean {
    return (this.#ahead[kind]?.[index + 1] ?? 0) >= this.frames.openOf[kind].length
  }

  #giveUp(frame: Frame): false {
    this.unclosed(frame)
    this.frames.dropTo(frame)
    return false
  }

  /** The innermost block may be closed already: the closer is its own, or that of the block around it. */
  #closeEither(kind: Kind): void {
    const closed = this.frames.pop()
    const around = this.frames.open.at(-1)
    if (around?.kind === kind) this.frames.release(around)
    if (closed?.kind === 'try' && kind === 'try') this.frames.push('handler', closed.mark, false)
  }

  #closeInner(mark: Mark, inner: Frame): void {
    this.frames.dropTo(inner)
    const around = this.frames.openOf[inner.kind].at(-1)
    if (around !== undefined && mark.indent < inner.mark.indent) around.blamed ??= inner.blamed ?? inner
    if (mark.indent !== inner.mark.indent) this.#doubtful.set(inner.kind, { mark, frame: inner })
    if (inner.kind === 'try') this.frames.push('handler', inner.mark, false)
  }

  /**
   * Reports a closer without an opener; false when indentation shows that an earlier closer was the
   * stray one, and this one must be checked again.
   */
  #stray(mark: Mark, kind: Kind): boolean {
    const earlier = this.#doubtful.get(kind)
    if (earlier === undefined || earlier.frame.mark.indent !== mark.indent || mark.isFaulty) {
      this.#report(mark, `unexpected '${mark.label}' — ${nothingOpen[mark.role]}`)
      return true
    }
    this.#doubtful.delete(kind)
    this.#report(earlier.mark, `unexpected '${earlier.mark.label}' — ${nothingOpen[earlier.mark.role]}`)
    this.frames.push(kind, earlier.frame.mark, true)
    return false
  }

  #secondElse(mark: Mark, { mark: { label, line, indent }, divider }: Frame): void {
    // Of the two, the one that is not below its `if` is reported.
    const wrong = divider !== undefined && divider.indent !== indent && mark.indent === indent ? divider : mark
    this.#report(wrong, `unexpected '${wrong.label}' — '${label}' of line ${line} already has an 'else()'`)
  }

  #report(mark: Mark, message: string, suggestion?: string): void {
    if (!mark.isFaulty) this.faults.push({ mark, message, ...(suggestion === undefined ? {} : { suggestion }) })
  }
}

/** For every mark, how many more blocks of a kind are closed than opened at most from there on. */
function lookAhead(marks: readonly Mark[]): Readonly<Partial<Record<Kind, Int32Array>>> {
  const ahead: Partial<Record<Kind, Int32Array>> = {}
  for (const kind of ['block', 'loop', 'try', 'function'] as const) {
    const counts = new Int32Array(marks.length + 1)
    for (let index = marks.length - 1; index >= 0; index--) {
      const role = marks[index]?.role ?? 'else'
      const step = marks[index]?.isFaulty ? 0 : closes[role] === kind ? 1 : opens[role] === kind ? -1 : 0
      counts[index] = Math.max(0, (counts[index + 1] ?? 0) + step)
    }
    ahead[kind] = counts
  }
  return ahead
}
