import type { CST } from 'yaml'

/** A fault with the parser's code and words. */
export interface YamlFault {
  readonly start: number
  readonly end: number
  readonly code: string
  readonly message: string
}

/** What the parser lets pass: directives that no document follows, and a second version in front of one document. */
export function directiveFaults(tokens: readonly CST.Token[]): readonly YamlFault[] {
  const faults: YamlFault[] = []
  let versions = 0
  let last: CST.Directive | undefined
  for (const token of tokens) {
    if (token.type === 'directive') {
      last = token
      if (/^%YAML\s/.test(token.source) && ++versions > 1) faults.push(faultOf(token, 'Keep one %YAML directive only.'))
    } else if (token.type === 'document') {
      versions = 0
      last = undefined
    }
  }
  if (last !== undefined) faults.push(faultOf(last, 'Write `---` and a document after the directives.'))
  return faults
}

function faultOf({ offset, source }: CST.Directive, message: string): YamlFault {
  return { start: offset, end: offset + source.length, code: 'DIRECTIVE', message }
}
