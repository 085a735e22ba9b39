import type { Certificate } from '../api/run-types.ts'
import { applied, type Edit, editsOf, inOrder, type Round, reverted, roundsBetween, undone } from './rounds.ts'

/** A part of an answer: in both texts, only in the one that the model wrote, or only in the one after repairs. */
export interface Piece {
  readonly kind: 'same' | 'removed' | 'added'
  readonly text: string
  /** The certificate that removed or added it. */
  readonly certificate?: number
}

/** An answer before and after its repairs. */
export interface Replay {
  /** As the model wrote it; characters that must not be shown are replaced one by one. */
  readonly original: string
  readonly final: string
  readonly pieces: readonly Piece[]
  /** Whether the certificates lead from the original to the final text, so that their places are known. */
  readonly isExact: boolean
}

/** Makes the changes of certificates again. `written` is the kept text of the attempt, from which secrets are removed already. */
export function replay(written: string | undefined, certificates: readonly Certificate[], final: string): Replay {
  const edits = editsOf(certificates)
  const original = originalOf(written, edits, certificates, final)
  const rounds = original === undefined ? undefined : roundsBetween(original, edits, final)
  if (original === undefined || rounds === undefined)
    return { original: written ?? final, final, pieces: whole(final), isExact: edits.length === 0 }
  return { original, final, pieces: rounds.reduce(changed, whole(original)), isExact: true }
}

function originalOf(
  written: string | undefined,
  edits: readonly Edit[],
  certificates: readonly Certificate[],
  final: string,
): string | undefined {
  if (written === undefined) return undone(final, edits)
  const secret = edits.filter(({ certificate }) => certificates[certificate]?.secret)
  if (secret.length === 0) return written
  // Kept texts have the redactions; spans refer to the text without them.
  const unredacted = reverted(written, secret)
  return unredacted !== undefined && applied(unredacted, secret) === written ? unredacted : undone(final, edits)
}

function whole(text: string): readonly Piece[] {
  return text === '' ? [] : [{ kind: 'same', text }]
}

/** The pieces after another round; text that one repair added and another removed is in neither text. */
function changed(pieces: readonly Piece[], round: Round): readonly Piece[] {
  const edits = inOrder(round)
  const next: Piece[] = []
  let at = 0
  let done = 0
  const add = (): void => {
    for (let edit = edits[done]; edit !== undefined && edit.end <= at; edit = edits[++done]) {
      if (edit.after !== '') next.push({ kind: 'added', text: edit.after, certificate: edit.certificate })
    }
  }
  for (const piece of pieces) {
    if (piece.kind === 'removed') {
      next.push(piece)
      continue
    }
    let rest = piece.text
    while (rest !== '') {
      add()
      const edit = edits[done]
      const isInside = edit !== undefined && edit.start <= at
      const length = edit === undefined ? rest.length : Math.min(rest.length, (isInside ? edit.end : edit.start) - at)
      const text = rest.slice(0, length)
      if (!isInside) next.push({ ...piece, text })
      else if (piece.kind === 'same') next.push({ kind: 'removed', text, certificate: edit.certificate })
      rest = rest.slice(length)
      at += length
    }
  }
  add()
  return next
}
