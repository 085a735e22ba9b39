import { sizes } from './sizes.ts'

/**
 * Where a line that is too long for one passage is split: after a space if possible, never within a
 * character.
 */
export function longLineCuts(text: string): readonly number[] | undefined {
  if (text.length <= sizes.most) return undefined
  const cuts: number[] = []
  for (let from = 0; text.length - from > sizes.target; ) {
    const window = text.slice(from, from + sizes.target)
    const space = window.lastIndexOf(' ')
    const end = space >= sizes.least ? space + 1 : window.length
    from += end > 1 && isHighSurrogate(text.charCodeAt(from + end - 1)) ? end - 1 : end
    cuts.push(from)
  }
  return cuts
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}
