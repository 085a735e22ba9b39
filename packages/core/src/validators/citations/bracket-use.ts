/** So much of a line before a bracket decides what the numbers in it are. */
export const longestLine = 512

/** Names that programs give to what has an index; words of a text that may be cited are not among them. */
const container =
  /^(?:list|array|vector|matrix|tuple|arr|lst|dp|nums?|args|argv|vec|mat|df|iloc|loc|shape|buf|ptr|str|tmp|fib|int|char|float|bool|memo|idx|adj|obj|elem|params|res|cnt|cur|prev|len|ans)\d*$/i

/** A word that only code has: with an underscore, in camel case, or a member. */
const inCode = /_|\$|^[a-z]{2,}[A-Z][a-z]|^(?:self|this)\./

/** The beginning of a line of code: it returns a value, or sets something to one. */
const codeLine = /^[\s>]*(?:return\b|(?:[A-Za-z[\]]{1,16} )?[\w.$*&[\]]{1,64}\s?[-+*/%|&^]?=\s)/

/** What is right before a vector or a list: an operator between values, `return`, or the bracket of a list or a call. */
const operator = /(?:=|∈|∉|≤|≥|×|·|±|[\w)\]]\s[*+/]|\breturn|\[|[A-Za-z_]\()\s{0,2}$/

/** More numbers than anybody cites at once are a list of values. */
const mostCited = 3

/** Words before an interval or a vector. */
const interval =
  /(?:\b(?:intervals?|intervalls?|segments?|vectors?|vektors?|vektor|arrays?|tuples?|matrix|coordinates?|koordinaten|bounds|domain)|\b(?:in|within|over|to|for|of) the (?:\w{1,16} )?range)(?:\s(?:of|is|von|ist))?[:=]?\s?$/i

/** Whether numbers in brackets are an index, a vector, an interval or a year, by the line before them: then they are no citation. */
export function isOtherUse(line: string, body: string): boolean {
  const values = body.match(/[0-9]+/g) ?? []
  if (values.every((value) => /^(?:1[5-9]|20)[0-9]{2}$/.test(value))) return true
  const hasZero = values.some((value) => Number(value) === 0)
  const isList = values.length > 1
  if (isList && (hasZero || values.length > mostCited || new Set(values).size < values.length)) return true
  const base = behindGroups(line)
  if (base === undefined) return true
  if (/[\w$)'"]$/.test(base)) return hasZero || isIndexed(base)
  return (operator.test(base) && !/^[\s>]*\[$/.test(base)) || (isList && interval.test(base))
}

/** The line before groups in brackets that come right before another; undefined when one of them is not a number. */
function behindGroups(line: string): string | undefined {
  let end = line.length
  while (line[end - 1] === ']') {
    const start = line.lastIndexOf('[', end)
    const group = start < 0 ? '' : line.slice(start + 1, end - 1)
    if (!/^\^?[0-9,;\s–-]+$/.test(group) || /^0+$/.test(group)) return undefined
    end = start
  }
  return line.slice(0, end)
}

/** Whether a bracket behind a word is that of an index. */
function isIndexed(line: string): boolean {
  // backtracks: at most 64 characters
  const name = /[\w$.]*$/.exec(line.slice(-64))?.[0] ?? ''
  const own = name.slice(name.lastIndexOf('.') + 1)
  const before = line[line.length - name.length - 1]
  if (line.endsWith('()') || inCode.test(name) || container.test(own)) return true
  return (before === '(' && /^[A-Za-z]{1,2}$/.test(name)) || codeLine.test(line)
}
