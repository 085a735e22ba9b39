/** About how many steps the program of a pattern has: a group that is counted is written out as often. */
export function patternSize(source: string): number {
  const outer: number[] = []
  let total = 0
  let last = 0
  for (let at = 0; at < source.length; at++) {
    const unit = source[at]
    if (unit === '(') {
      outer.push(total + last)
      total = 0
      last = 0
    } else if (unit === ')') {
      last += total + 1
      total = outer.pop() ?? 0
    } else if (unit === '{') {
      const end = source.indexOf('}', at)
      const times = Number(
        source
          .slice(at + 1, end === -1 ? at : end)
          .split(',')
          .findLast((count) => count !== ''),
      )
      // A brace that counts nothing is a character.
      if (times > 1) last *= times
      if (end !== -1) at = end
    } else {
      total += last
      last = 1
      if (unit === '\\') at++
      else if (unit === '[') at = endOfClass(source, at)
    }
  }
  return total + last + outer.reduce((sum, one) => sum + one, 0)
}

function endOfClass(source: string, start: number): number {
  let at = start + 1
  while (at < source.length && source[at] !== ']') at += source[at] === '\\' ? 2 : 1
  return at
}
