const signs: ReadonlySet<string> = new Set('()[{};,=:!&|?+-*%~^></\r\n')
const keywords = /(?:^|\W)(?:return|typeof|case|in|of|delete|void|throw|new|else|do|await|yield|instanceof)$/
/** Where a type assertion in angle brackets may start. */
const angle = /(?:^|[([{,;=:?&|!>])[ \t]?<\w/m

/** Tells whether code may hold a regular expression: a slash after a sign or a keyword that no division follows. */
export function mayHoldRegExp(source: string): boolean {
  for (let at = source.indexOf('/'); at >= 0; at = source.indexOf('/', at + 1)) {
    const next = source.charAt(at + 1)
    if (next === '/' || next === '*') at++
    else if (next !== '>' && source.charAt(at - 1) !== '<' && mayPrecede(source, at)) return true
  }
  return false
}

/** Tells whether code may assign to a type assertion, such as `a as T = 1`. */
export function mayAssignToAssertion(source: string): boolean {
  for (const { index } of source.matchAll(/\b(?:as|satisfies)\b/g)) {
    const rest = /^[^;\r\n]*/.exec(source.slice(index, index + 200))?.[0] ?? ''
    if (rest.length === 200 || /=(?![=>])/.test(rest)) return true
  }
  return angle.test(source)
}

function mayPrecede(source: string, slash: number): boolean {
  let at = slash - 1
  while (source.charAt(at) === ' ' || source.charAt(at) === '\t') at--
  return at < 0 || signs.has(source.charAt(at)) || keywords.test(source.slice(Math.max(0, at - 11), at + 1))
}
