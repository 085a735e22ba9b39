import { wholeEnd } from '../../../answer/characters.ts'
import { setOwn } from '../../../json/json-value.ts'
import type { JsonListener } from '../../../repairs/json/json-listener.ts'
import type { KnownShape, Wants } from './schema-shapes.ts'
import type { Fitted, ValueGuide } from './value-guide.ts'

type Container = Record<string, unknown> | unknown[]

/** The text that a value is read from. */
export interface ValueSource {
  /** How far it has been read. */
  offset(): number
  /** Called once, at the first part that no repair can correct. */
  onWrong(path: readonly (string | number)[], at: number): void
}

/** An object or array that is being read. */
interface Open {
  readonly kind: 'object' | 'array'
  /** What is shown of it; absent while it is held to its end, or is never shown. */
  readonly shown: Container | undefined
  /** What applies to it, when it is judged at its end. */
  readonly held: Wants | undefined
  /** What its parts are judged by; absent where nothing is known of them. */
  readonly shape: KnownShape | undefined
  readonly isInObject: boolean
  key: string | number | undefined
  count: number
  /** The last item, which may still turn out to be a key, and how far the text was read with it. */
  waiting: { readonly fitted: Fitted; readonly at: number } | undefined
}

const free: Wants = []
/** Placeholder for what is only judged. */
const unkept: Container = {}
/** Entries that may be copied for each character that was read since the last copy. */
const copiesPerCharacter = 16

/** The value of a JSON text as far as it is certain: strings may grow, other scalars appear when they are complete, and everything as it will be at the end. */
export class GrowingValue implements JsonListener {
  /** Grows with every change. */
  version = 0
  readonly #guide: ValueGuide | undefined
  readonly #source: ValueSource
  readonly #keeps: boolean
  /** Whether a part is wrong for good: nothing is shown from there on. */
  #isWrong = false
  readonly #open: Open[] = []
  #root: { value: unknown } | undefined
  #growing: string | undefined
  /** Whether the string that is being read stays what it is. */
  #isPlain: boolean | undefined
  #read = 0
  #copied = 0

  /** `keeps` when it is shown; otherwise it is only judged. */
  constructor(guide: ValueGuide | undefined, source: ValueSource, keeps: boolean) {
    this.#guide = guide
    this.#source = source
    this.#keeps = keeps
  }

  /** Counts characters that were read: copies are made in proportion to them, so that time stays linear. */
  charge(characters: number): void {
    this.#read += characters
  }

  /** A copy of the value so far; undefined when there is none, or when one is not worth its cost yet. */
  copy(): unknown {
    if (this.#root === undefined) return undefined
    const open = this.#open.filter(({ shown }) => shown !== undefined)
    const cost = open.reduce((sum, { count }) => sum + count, this.#open.length)
    if (this.#copied + cost > copiesPerCharacter * this.#read + 1024) return undefined
    this.#copied += cost
    let inner: unknown = this.#root.value
    for (let depth = open.length - 1; depth >= 0; depth--) {
      const { shown, key } = open[depth] as Open
      const copied: Container = Array.isArray(shown) ? [...shown] : { ...shown }
      const added = depth === open.length - 1 ? this.#growing : inner
      if (added !== undefined && key !== undefined) place(copied, key, added)
      inner = copied
    }
    return inner
  }

  open(kind: 'object' | 'array'): void {
    const isInObject = this.#enter()?.kind === 'object'
    const wants = this.#wants()
    if (wants === undefined) this.#refuseUnknown()
    else if (wants.length > 0 && this.#guide?.excludes(wants, kind)) this.#reject()
    this.#refuseTooMany()
    const shape = wants === undefined || wants.length === 0 ? undefined : this.#guide?.shapes.shapeOf(wants, kind)
    const isHeld = wants !== undefined && wants.length > 0 && shape === undefined
    const shown = wants === undefined || isHeld || this.#isWrong ? undefined : this.#startContainer(kind)
    // One literal for all, since there are many.
    this.#open.push({ kind, shown, held: isHeld ? wants : undefined, shape, isInObject, key: undefined, count: 0, waiting: undefined })
  }

  #startContainer(kind: 'object' | 'array'): Container {
    if (!this.#keeps) return unkept
    const container: Container = kind === 'object' ? {} : []
    this.#show(container)
    return container
  }

  close(container: unknown): void {
    this.#flush()
    const closed = this.#open.pop()
    this.#endString()
    if (closed?.held) this.#settle(this.#fit(closed.held, container))
    else if (closed?.shape && closed.kind === 'object') this.#requireAll(closed.shape, container)
    this.#leave()
  }

  key(name: string): void {
    const top = this.#open.at(-1)
    if (top) top.key = name
  }

  put(value: unknown): void {
    const top = this.#enter()
    const before = this.#growing
    const { version } = this
    this.#endString()
    const wants = this.#wants()
    if (wants === undefined) this.#refuseUnknown()
    else {
      const fitted = this.#fit(wants, value)
      const shown = fitted.kind === 'shown' && typeof fitted.value === 'string' ? { ...fitted, value: settled(fitted.value) } : fitted
      // repair: a key after an array that was not closed is taken for an item at first
      if (top?.kind === 'array' && top.isInObject && top.count > 1 && typeof value === 'string')
        top.waiting = { fitted: shown, at: this.#source.offset() }
      else this.#settle(shown)
      // It was shown already.
      if (before !== undefined && shown.kind === 'shown' && shown.value === before) this.version = version
    }
    this.#leave()
  }

  grow(text: string): void {
    const top = this.#open.at(-1)
    if (top?.kind === 'array') this.#flush()
    if (!this.#keeps) return
    const mayBeKey = top?.kind === 'array' && top.isInObject && top.count > 0
    const index = top?.kind === 'array' ? top.count : top?.key
    if (top && top.kind === 'array') top.key = index
    this.#isPlain ??= !mayBeKey && this.#growsAsItIs()
    const shown = this.#isPlain && !this.#isWrong ? settled(text) : undefined
    if (shown === this.#growing) return
    this.#growing = shown
    this.version++
  }

  takeBack(): void {
    const top = this.#open.at(-1)
    if (top) top.waiting = undefined
  }

  #endString(): void {
    this.#growing = undefined
    this.#isPlain = undefined
  }

  /** Goes on with the next item of an array. */
  #enter(): Open | undefined {
    const top = this.#open.at(-1)
    if (top?.kind !== 'array') return top
    this.#flush()
    top.key = top.count++
    return top
  }

  #leave(): void {
    const top = this.#open.at(-1)
    if (top) top.key = undefined
    if (top?.kind === 'object') top.count++
  }

  /** Shows an item that turned out to be one. */
  #flush(): void {
    const top = this.#open.at(-1)
    if (top?.waiting === undefined) return
    const { fitted, at } = top.waiting
    top.waiting = undefined
    top.key = top.count - 1
    this.#settle(fitted, at)
  }

  /** What applies at the current place; undefined where nothing is shown. */
  #wants(): Wants | undefined {
    if (this.#isWrong) return undefined
    const top = this.#open.at(-1)
    if (top === undefined) return this.#guide?.shapes.root ?? free
    // A line break at the end of a key may have to go.
    if (top.shown === undefined || (top.kind === 'object' && /[\r\n]$/.test(String(top.key)))) return undefined
    if (top.shape === undefined || this.#guide === undefined) return free
    return top.kind === 'object' ? top.shape.member(String(top.key)) : top.shape.item(Number(top.key))
  }

  #fit(wants: Wants, value: unknown): Fitted {
    if (this.#guide === undefined || wants.length === 0) return { kind: 'shown', value }
    const top = this.#open.at(-1)
    const mayBeAbsent = top?.shape !== undefined && top.kind === 'object' && !top.shape.required.has(String(top.key))
    return this.#guide.fit(wants, value, mayBeAbsent)
  }

  #settle(fitted: Fitted, at?: number): void {
    this.#refuseTooMany(at)
    if (fitted.kind === 'wrong') this.#reject(at)
    else if (fitted.kind === 'shown') this.#show(fitted.value)
  }

  /** Rejects an item that is one too many. */
  #refuseTooMany(at?: number): void {
    const top = this.#open.at(-1)
    if (top?.kind === 'array' && top.shape && this.#guide && top.count > this.#guide.mostItems(top.shape)) this.#reject(at, 1)
  }

  /** Rejects a member that may not be there. */
  #refuseUnknown(): void {
    const top = this.#open.at(-1)
    if (top?.kind === 'object' && top.shape && this.#guide?.forbids(top.shape, String(top.key))) this.#reject()
  }

  /** Rejects the current place, or something around it. */
  #reject(at = this.#source.offset(), around = 0): void {
    const path = this.#open.flatMap(({ key }) => (key === undefined ? [] : [key]))
    if (!this.#isWrong) this.#source.onWrong(path.slice(0, path.length - around), at)
    this.#isWrong = true
  }

  #show(value: unknown): void {
    if (this.#isWrong || !this.#keeps) return
    const top = this.#open.at(-1)
    if (top === undefined) this.#root = { value }
    else if (top.shown && top.key !== undefined) place(top.shown, top.key, value)
    this.version++
  }

  /** A member that is missing in an object that is complete is missing for good, unless the schema has it or another name was meant. */
  #requireAll({ required }: KnownShape, container: unknown): void {
    let isMissing = false
    for (const key of required) isMissing ||= !Object.hasOwn(container as object, key)
    if (isMissing && this.#guide && this.#fit(this.#wants() ?? free, container).kind === 'wrong') this.#reject()
  }

  #growsAsItIs(): boolean {
    const wants = this.#wants()
    return wants !== undefined && (wants.length === 0 || this.#guide?.shapes.shapeOf(wants, 'string') !== undefined)
  }
}

/** Without what may still change: half a character, and line breaks that a repair drops before the closing quote. */
function settled(text: string): string {
  let end = text.length
  while (end > 0 && /[\r\n]/.test(text.charAt(end - 1))) end--
  return text.slice(0, wholeEnd(text, end))
}

/** Puts a value into its place; after an item that is not shown, nothing is shown. */
function place(container: Container, key: string | number, value: unknown): void {
  if (!Array.isArray(container)) setOwn(container, String(key), value)
  else if (Number(key) <= container.length) container[Number(key)] = value
}
