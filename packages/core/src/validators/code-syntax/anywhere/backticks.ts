/** How many backticks are at an offset. */
export function ticksAt(text: string, at: number): number {
  let end = at
  while (text.charAt(end) === '`') end++
  return end - at
}

/** Where the next run of so many backticks starts, before a limit; -1 without one. */
export function closeOf(text: string, from: number, length: number, limit: number): number {
  let close = text.indexOf('`', from)
  while (close >= 0 && close <= limit && ticksAt(text, close) !== length) close = text.indexOf('`', close + ticksAt(text, close))
  return close
}

/** Where the last run of each length starts. */
export function lastRunsOf(text: string): Map<number, number> {
  return new Map(Array.from(text.matchAll(/`+/g), ({ 0: run, index }) => [run.length, index]))
}

/** Says of each next piece whether a fence stays open, without another look at the text before. */
export function closeWatch(length: number, text: string): (piece: string) => boolean {
  let run = 0
  while (text.charAt(text.length - 1 - run) === '`') run++
  return (piece) => {
    for (const character of piece) {
      if (character === '`') run++
      else if (run === length) return false
      else run = 0
    }
    return true
  }
}

/** Whether there is nothing but backticks. */
export function isTicks(piece: string): boolean {
  return /^`*$/.test(piece)
}
