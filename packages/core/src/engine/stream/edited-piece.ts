import type { Certificate } from '../../contract/certificate.ts'

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
