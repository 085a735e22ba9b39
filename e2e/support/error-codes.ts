/** A code that a source gives to errors, with the status where it is written beside it. */
export interface MadeError {
  readonly code: string
  readonly status?: number
  /** The type that is written beside it; else it follows from the status. */
  readonly type?: string
}

const makers = /\bfunction (\w+)\(([^)]*\bcode\b[^)]*)\): (?:HttpError|ClientError|never)\b/g
const literal = /^'([a-z0-9_]+)'$/

/** The functions that make an error with a code, and which of their parameters it is. */
export function errorMakers(sources: readonly string[]): ReadonlyMap<string, number> {
  const found = sources.flatMap((source) => [...source.matchAll(makers)])
  return new Map(found.map(([, name = '', parameters = '']) => [name, splitArguments(parameters).findIndex((one) => /^code\b/.test(one))]))
}

/** Every code that is written where an error is made: `new HttpError(404, …, { code: 'x' })`, a call of a function that makes one, or its default. */
export function madeErrors(source: string, makers: ReadonlyMap<string, number>): MadeError[] {
  const own = errorMakers([source])
  const defaults = [...source.matchAll(/\bcode = '([a-z0-9_]+)'/g)].map(([, code = '']) => ({ code }))
  const calls = [...source.matchAll(/\b(\w+)\(/g)].flatMap(({ 1: name = '', 0: { length }, index }) => {
    const at = name === 'HttpError' ? 2 : makers.get(name)
    const isOther = source.includes(`function ${name}(`) && !own.has(name)
    if (at === undefined || isOther || source.slice(0, index).endsWith('function ')) return []
    const given = splitArguments(source.slice(index + length))
    const status = Number(given[0])
    const text = given[at] ?? ''
    const codes =
      name === 'HttpError'
        ? [...text.matchAll(/\bcode: (?:'([a-z0-9_]+)'|`\$\{kind\}(_\w+)`)/g)].flatMap(spelled)
        : (literal.exec(text)?.slice(1) ?? [])
    const type = name === 'HttpError' ? /\btype: '(\w+)'/.exec(text)?.[1] : undefined
    return codes.map((code) => ({ code, ...(Number.isInteger(status) && { status }), ...(type !== undefined && { type }) }))
  })
  return [...defaults, ...calls]
}

/** A code in a template is of a contract or of a preset. */
function spelled([, whole, ending]: readonly (string | undefined)[]): string[] {
  return whole === undefined ? [`contract${ending}`, `preset${ending}`] : [whole]
}

/** The arguments of a call, up to the bracket that closes it. */
function splitArguments(text: string): string[] {
  const found = ['']
  let depth = 0
  let quote = ''
  for (const [index, character] of [...text].entries()) {
    if (quote !== '') quote = character === quote && text[index - 1] !== '\\' ? '' : quote
    else if (`'"\``.includes(character)) quote = character
    else if ('([{'.includes(character)) depth++
    else if (')]}'.includes(character) && --depth < 0) break
    if (character === ',' && depth === 0 && quote === '') found.push('')
    else found[found.length - 1] += character
  }
  return found.map((one) => one.trim())
}
