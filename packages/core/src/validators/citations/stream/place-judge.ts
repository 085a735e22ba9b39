import type { AnswerReader } from '../../../answer/reader.ts'
import { spanHolds } from '../../../answer/span.ts'
import { InlineCodeWatch, type KeptText } from '../../shared/kept-text.ts'
import type { Marker } from '../marker-scanner.ts'
import type { LineState } from './line-watch.ts'

/** A marker in a stream, with what the lines before it say. */
export interface PlacedMarker {
  readonly marker: Marker
  readonly lines: LineState
}

/** What a place in a stream is: code, text, or not decided yet. */
export type Place = 'code' | 'text' | 'open'

/** Decides whether markers are in code as soon as no continuation can change it; they are asked about in text order. */
export class PlaceJudge {
  readonly #code: InlineCodeWatch

  constructor(kept: KeptText) {
    this.#code = new InlineCodeWatch(kept)
  }

  /** Judges a marker; `blankEnd` is the offset after the last blank line. */
  judge({ marker, lines }: PlacedMarker, reader: AnswerReader, blankEnd: number): Place {
    const { start } = marker.span
    const isRead = marker.at <= reader.decided
    // A line that may open a fence is one only when all of it is there.
    if (lines.fenceLike >= reader.decided) return 'open'
    if (reader.inFence(start)) return isRead || reader.openFence === reader.marginFence ? 'code' : 'open'
    if (spanHolds(reader.frontMatters, start)) return 'text'
    if (isRead && endOfClosed(reader, blankEnd) > start) return this.#code.holds(start, reader) ? 'code' : 'text'
    if (boundaryBefore(reader, lines) <= Math.max(lines.unbalanced, lines.doubtful)) return 'open'
    if (!lines.inRun) return 'text'
    const { line } = lines
    return line.codeEnd > start && line.plain && line.start <= reader.decided ? 'code' : 'open'
  }
}

/** Where the blocks end whose inline code is known. */
export function endOfClosed({ inlines, codeBlocks, decided }: AnswerReader, blankEnd: number): number {
  const blank = blankEnd <= decided ? blankEnd : 0
  return Math.max(inlines.at(-1)?.end ?? 0, codeBlocks.at(-1)?.span.end ?? 0, blank)
}

/** The last place before a line that no paragraph goes across. */
function boundaryBefore({ inlines, codeBlocks }: AnswerReader, { line, blankBefore }: LineState): number {
  const inline = inlines.at(-1)?.end ?? 0
  const code = codeBlocks.at(-1)?.span.end ?? 0
  return Math.max(blankBefore, inline <= line.start ? inline : 0, code <= line.start ? code : 0)
}
