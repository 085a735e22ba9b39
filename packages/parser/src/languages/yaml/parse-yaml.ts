import { yamlDepth } from '@stickler/core/internal/yaml'
import type { SyntaxFault } from '@stickler/core/validators'
import { Composer, type CST, Parser } from 'yaml'
import { faultAt } from '../fault-at.ts'
import { type Mistake, mistakeAt } from '../model-mistakes.ts'
import { lineAt } from '../offsets.ts'
import { quoted } from '../quoted.ts'
import { tooDeep } from '../too-deep.ts'

/** What to do about the parser's errors, by their text; the first that matches is taken. */
const wordings: readonly (readonly [RegExp, string])[] = [
  [/^Tabs are not allowed/, 'Indent with spaces: YAML does not allow tabs.'],
  [
    /^Nested mappings are not allowed in compact/,
    'Put the value in quotes, or its keys on indented lines of their own: a line holds one `key: value`.',
  ],
  [/^Implicit map keys need to be followed/, 'Write `:` after this key, or indent the text to continue the value above.'],
  [/^Implicit keys (?:need|of flow)/, 'Write this key on one line, with `: ` after it.'],
  [/^All (?:mapping|sequence|collection) items must start/, 'Indent this line like the other items of its block.'],
  [/^A block sequence may not be used/, 'Indent this list like the other items of its block.'],
  [/^Flow (?:sequence|map).* end with a (.)$/, 'Close the bracket with `$1`.'],
  [/^Missing closing (.)quote/, 'Close the string that starts with `$1`.'],
  [/^Missing , or : between/, 'Write `,` between the items.'],
  [/^Missing , between/, 'Write `,` between the items.'],
  [/^Comments must be separated/, 'Write a space before `#`, or put the value in quotes.'],
  [/^Plain value cannot start with/, 'Put this value in quotes: it must not start with this character.'],
  [/^Unexpected block-seq-ind on same line/, 'Start the list on the next line, indented.'],
  [
    /^Unexpected (?:scalar|(?:single|double)-quoted-scalar) at node end/,
    'Put the whole value in one pair of quotes, or remove what follows it.',
  ],
  [/^Unexpected flow-(?:seq|map)-end/, 'Remove this bracket: nothing is open here.'],
  [/^Block scalar header includes extra/, 'Put the text on the lines after `|` or `>`, indented.'],
  [/^Block collections are not allowed within flow/, 'Write this list or mapping in brackets, as what is around it.'],
  [/^Missing directives-end/, 'Write `---` after the directives.'],
  [/^A node can have at most one/, 'Keep one anchor and one tag for a value.'],
]

/** Says what to do about an error of the parser. */
function describe({ start, message, code }: YamlFault, text: string): Mistake {
  if (code === 'DIRECTIVE') return { message }
  const mistake = /^\s*(?:```|~~~|<<<<<<<|=======|>>>>>>>)/.test(lineAt(text, start)) ? mistakeAt(text, start, '#') : undefined
  if (mistake !== undefined) return mistake
  const template = /\{[{%]/.exec(lineAt(text, start))
  if (template !== null) return { message: 'Put the template expression in quotes: YAML reads its braces.' }
  if (
    /^Unexpected scalar at node end/.test(message) &&
    /^\S/.test(lineAt(text, start)) &&
    lineAt(text, start).startsWith(text.charAt(start))
  )
    return { message: 'Write `- ` before this line, or indent it: it does not continue what is above.' }
  if (/^Invalid escape sequence/.test(message)) return { message: 'Write the backslash as \\\\, or put the text in single quotes.' }
  const found = wordings.find(([pattern]) => pattern.test(message))
  if (found !== undefined)
    return { message: (found[0].exec(message) ?? []).reduce<string>((told, group, at) => told.replaceAll(`$${at}`, group), found[1]) }
  const token = quoted(/^\S*/.exec(text.slice(start, start + 200))?.[0] ?? '')
  return { message: code === 'UNEXPECTED_TOKEN' ? `Remove or indent ${token}: it does not belong here.` : `${message}.` }
}

/** A model acts on the first faults. */
const mostFaults = 20
/** One fault may be several errors. */
const mostErrors = 100
/** Deeper documents could end the process: what builds their values is recursive. */
const deepest = 200

/** Finds the faults of a YAML stream; tags, aliases and duplicate keys are not a matter of syntax. */
export function parseYaml(source: string): readonly SyntaxFault[] {
  // The parser knows no CR line breaks; one character for one keeps its offsets.
  const text = source.replace(/\r(?!\n)/g, '\n')
  const tokens = [...new Parser().parse(text)]
  if (yamlDepth(tokens) > deepest) throw tooDeep()
  const lines = new Set<number>()
  return [...directiveFaults(tokens), ...compose(tokens, text)]
    .slice(0, mostErrors)
    .map((fault) => {
      const { message, suggestion } = describe(fault, text)
      return faultAt(source, fault.start, fault.end, message, suggestion)
    })
    .filter(({ line }) => lines.size < mostFaults && !lines.has(line) && lines.add(line))
    .sort((one, other) => one.line - other.line)
}

function compose(tokens: readonly CST.Token[], text: string): readonly YamlFault[] {
  const composer = new Composer({ uniqueKeys: false, logLevel: 'silent' })
  return [...composer.compose(tokens, false, text.length)].flatMap(({ errors }) =>
    errors.map(({ pos: [start, end], code, message }) => ({ start, end, code, message })),
  )
}

/** A fault with the parser's code and words. */
interface YamlFault {
  readonly start: number
  readonly end: number
  readonly code: string
  readonly message: string
}

/** What the parser lets pass: directives that no document follows, and a second version in front of one document. */
function directiveFaults(tokens: readonly CST.Token[]): readonly YamlFault[] {
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
