import type { Outline } from '../../answer/outline.ts'

/** The structure of what has been read, of a whole answer or of a stream. */
export interface ReadOutline extends Pick<Outline, 'headings' | 'codeBlocks' | 'frontMatters'> {
  inFence(offset: number): boolean
}
