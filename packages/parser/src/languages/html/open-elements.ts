import { quoted } from '../quoted.ts'

/** Where a tag is. */
interface TagSpan {
  readonly start: number
  readonly end: number
}

const namesIn = (names: string): ReadonlySet<string> => new Set(names.split(' '))
const voids = namesIn('area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr')
/** Elements whose end tags HTML lets out. */
const optional = namesIn('html head body li dt dd p rb rt rtc rp optgroup option colgroup caption thead tbody tfoot tr td th')
const foreign = namesIn('svg math')
/** Where HTML begins again inside of them. */
const integration = namesIn('foreignobject desc title annotation-xml mi mo mn ms mtext')

/** Follows which elements are open, and reports those without their pair. */
export class OpenElements {
  /** Whether the next tag is one of SVG or MathML. */
  inForeign = false
  readonly #add: (span: TagSpan, message: string) => void
  readonly #open: { readonly name: string; readonly span: TagSpan; readonly inForeign: boolean }[] = []
  readonly #counts = new Map<string, number>()
  /** End tags that come too late for elements which were reported. */
  readonly #late = new Map<string, number>()

  constructor(add: (span: TagSpan, message: string) => void) {
    this.#add = add
  }

  /** Takes a start tag; one that closes itself is closed, as components are written. */
  open(name: string, span: TagSpan, isClosed: boolean): void {
    if (isClosed || voids.has(name)) return
    this.#open.push({ name, span, inForeign: this.inForeign })
    count(this.#counts, name, 1)
    if (foreign.has(name)) this.inForeign = true
    else if (integration.has(name)) this.inForeign = false
  }

  /** Takes an end tag. */
  close(name: string, span: TagSpan): void {
    if ((this.#counts.get(name) ?? 0) === 0) this.#stray(name, span)
    else this.#closeUpTo(name)
  }

  #closeUpTo(name: string): void {
    for (let last = this.#open.pop(); last !== undefined; last = this.#open.pop()) {
      count(this.#counts, last.name, -1)
      this.inForeign = last.inForeign
      if (last.name === name) return
      if (optional.has(last.name)) continue
      count(this.#late, last.name, 1)
      this.#add(last.span, `Close ${tag(last.name)} with ${tag(`/${last.name}`)} before ${tag(`/${name}`)}.`)
    }
  }

  /** Takes the end of the text. */
  end(): void {
    for (const { name, span } of this.#open)
      if (!optional.has(name)) this.#add(span, `Close ${tag(name)} with ${tag(`/${name}`)}: it is still open at the end.`)
  }

  #stray(name: string, span: TagSpan): void {
    const isLate = (this.#late.get(name) ?? 0) > 0
    const advice = voids.has(name) ? 'this element has no end tag' : `no ${tag(name)} is open here`
    if (isLate) count(this.#late, name, -1)
    else this.#add(span, `Remove ${tag(`/${name}`)}: ${advice}.`)
  }
}

function count(counts: Map<string, number>, name: string, by: number): void {
  counts.set(name, (counts.get(name) ?? 0) + by)
}

function tag(name: string): string {
  return quoted(`<${name}>`)
}
