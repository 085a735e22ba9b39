import { isHighSurrogate } from '../../answer/characters.ts'
import { AnswerReader } from '../../answer/reader.ts'
import type { Certificate, RepairClass } from '../../contract/certificate.ts'
import type { IncrementalCheck, Progress } from '../../contract/validator.ts'

const none: readonly never[] = []
const nothing: EditedText = { text: '', places: none }

/** One validator that edits the text of a stream: it takes text and gives what is settled of it, with its changes made. */
export class Editor {
  readonly reader = new AnswerReader()
  readonly #classes: readonly RepairClass[]
  /** Absent when it has failed or does not keep to its contract: the text is held from there on. */
  #check: IncrementalCheck | undefined
  #length = 0
  /** The text that is not settled, in pieces, and where it starts. */
  #kept: string[] = []
  #settled = 0
  /** How much text it has given. */
  #given = 0
  /** Places that earlier editors have changed, from `#settled` on. */
  #places: EditedPlace[] = []
  /** Text before this has been shown in an earlier attempt. */
  #shown = 0

  constructor(check: IncrementalCheck | undefined, classes: readonly RepairClass[]) {
    this.#check = check
    this.#classes = classes
  }

  /** Takes text that was shown by an earlier attempt. */
  resume(text: EditedText): EditedText {
    this.#shown += text.text.length
    return this.push(text)
  }

  /** Takes the next text and gives what is settled now. */
  push({ text, places }: EditedText): EditedText {
    const start = this.#length
    this.#length += text.length
    this.reader.push(text)
    const progress = this.#advance(text)
    for (const place of places) this.#places.push(place)
    const edits = progress?.edits ?? none
    // Nearly always: everything is good as it is.
    if (progress && edits.length === 0 && progress.safe >= this.#length && start === this.#settled && this.#places.length === 0) {
      this.#settled = this.#length
      this.#given += text.length
      return { text, places: none }
    }
    this.#kept.push(text)
    if (progress === undefined) return nothing
    const safe = Math.min(progress.safe, this.#length)
    if (safe <= this.#settled && edits.length === 0) return nothing
    const kept = this.#kept.join('')
    this.#kept = [kept]
    const end = isHighSurrogate(kept.charCodeAt(safe - this.#settled - 1)) && safe < this.#length ? safe - 1 : safe
    if (this.#fits(edits, kept, end)) return this.#settle(kept, end, edits)
    this.#check = undefined
    return nothing
  }

  #advance(text: string): Progress | undefined {
    if (this.#check === undefined) return undefined
    try {
      const progress = this.#check.push(text, this.reader)
      if (progress.failure === undefined && progress.pending === undefined) return progress
    } catch {}
    this.#check = undefined
    return undefined
  }

  #fits(edits: readonly Certificate[], kept: string, end: number): boolean {
    let at = Math.max(this.#settled, this.#shown)
    for (const { span, before, class: kind } of edits) {
      const holds = kept.slice(span.start - this.#settled, span.end - this.#settled) === before
      if (!this.#classes.includes(kind) || span.start < at || span.end < span.start || span.end > end || !holds) return false
      at = span.end
    }
    return true
  }

  /** Gives the text up to an offset with the changes made. */
  #settle(kept: string, end: number, edits: readonly Certificate[]): EditedText {
    const base = this.#settled
    if (edits.length === 0 && this.#places.length === 0) {
      const text = kept.slice(0, end - base)
      this.#given += text.length
      this.#settled = end
      this.#kept = [kept.slice(end - base)]
      return { text, places: none }
    }
    const pieces: string[] = []
    const places: EditedPlace[] = []
    let length = this.#given
    let at = base
    const add = (piece: string): void => {
      pieces.push(piece)
      length += piece.length
    }
    for (const group of groupsOf(this.#takePlaces(end), edits)) {
      add(kept.slice(at - base, group.start - base))
      const start = length
      let raw = group.end - group.start
      at = group.start
      for (const { span, after } of group.edits) {
        add(kept.slice(at - base, span.start - base))
        add(after)
        at = span.end
      }
      add(kept.slice(at - base, group.end - base))
      at = group.end
      for (const place of group.places) raw += place.raw - (place.end - place.start)
      const certificates = [...group.places.flatMap((place) => place.certificates), ...group.edits]
      places.push({ start, end: length, raw, certificates })
    }
    add(kept.slice(at - base, end - base))
    this.#given = length
    this.#settled = end
    this.#kept = [kept.slice(end - base)]
    return { text: pieces.join(''), places }
  }

  /** The places before an offset; one that it cuts is taken in part. */
  #takePlaces(end: number): readonly EditedPlace[] {
    const taken: EditedPlace[] = []
    for (let place = this.#places[0]; place !== undefined && place.start < end; place = this.#places[0]) {
      if (place.end > end) {
        const [before, behind] = cutPlace(place, end)
        taken.push(before)
        this.#places[0] = behind
        break
      }
      taken.push(place)
      this.#places.shift()
    }
    return taken
  }
}

interface Group {
  readonly start: number
  end: number
  readonly places: EditedPlace[]
  readonly edits: Certificate[]
}

/** Places and edits in text order; those that overlap are one group. */
function groupsOf(places: readonly EditedPlace[], edits: readonly Certificate[]): readonly Group[] {
  const groups: Group[] = []
  let place = 0
  let edit = 0
  while (place < places.length || edit < edits.length) {
    const nextPlace = places[place]
    const nextEdit = edits[edit]
    const takesPlace = nextPlace !== undefined && (nextEdit === undefined || nextPlace.start <= nextEdit.span.start)
    const { start, end } = takesPlace ? nextPlace : (nextEdit as Certificate).span
    let group = groups.at(-1)
    if (group === undefined || start >= group.end) {
      group = { start, end, places: [], edits: [] }
      groups.push(group)
    }
    if (end > group.end) group.end = end
    if (takesPlace) {
      group.places.push(nextPlace)
      place++
    } else {
      group.edits.push(nextEdit as Certificate)
      edit++
    }
  }
  return groups
}

/** A place in edited text whose text stands for other text. */
export interface EditedPlace {
  readonly start: number
  readonly end: number
  /** How many characters of the model's text it stands for. */
  readonly raw: number
  readonly certificates: readonly Certificate[]
}

/** Edited text with its places. */
export interface EditedText {
  readonly text: string
  readonly places: readonly EditedPlace[]
}

/** Cuts a place in two: what it stands for belongs to its first part. */
export function cutPlace(place: EditedPlace, at: number): readonly [EditedPlace, EditedPlace] {
  return [
    { ...place, end: at },
    { start: at, end: place.end, raw: 0, certificates: [] },
  ]
}
