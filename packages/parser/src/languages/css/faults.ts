import type { SyntaxFault } from '@stickler/core/validators'
import type { ChildNode, CssSyntaxError, parse as parseCss, Root } from 'postcss'
import { faultAt } from '../fault-at.ts'
import { quoted } from '../quoted.ts'

/** A model acts on the first faults. */
const mostFaults = 20

/** What to do about what PostCSS says; `$` is the code there. */
const wordings: readonly (readonly [RegExp, string])[] = [
  [/^Unclosed block/, 'Close this block with `}`.'],
  [/^Unclosed bracket/, 'Close this $.'],
  [/^Unclosed comment/, 'Close this comment with `*/`.'],
  [/^Unclosed (?:string|quote)/, 'Close this string.'],
  [/^Unexpected }/, 'Remove this `}`: no block is open here.'],
  [/^Missed semicolon/, 'Write `;` between the declarations.'],
  [/^Double colon/, 'Write one `:` between a property and its value.'],
  [/^At-rule without name/, 'Write the name of the at-rule after `@`.'],
  [/^Unknown word/, 'Correct $: it is neither a declaration (`property: value;`) nor a rule.'],
]

/** Finds the fault at which PostCSS stops, or else brackets without their pair. */
export function cssFaults(source: string, parse: typeof parseCss): readonly SyntaxFault[] {
  try {
    return bracketFaults(parse(source), source)
  } catch (error) {
    if (!isSyntaxError(error)) throw error
    const { reason, input } = error
    const start = input?.offset ?? 0
    const end = Math.max(input?.endOffset ?? 0, start + 1)
    const found = wordings.find(([pattern]) => pattern.test(reason))?.[1] ?? `Correct the CSS at $: ${reason}.`
    return [
      faultAt(
        source,
        start,
        end,
        found.replace('$', () => quoted(source.slice(start, end))),
      ),
    ]
  }
}

function isSyntaxError(error: unknown): error is CssSyntaxError {
  return error instanceof Error && error.name === 'CssSyntaxError'
}

/** Brackets in selectors, parameters and values that have no pair, which PostCSS lets pass. */
function bracketFaults(root: Root, source: string): readonly SyntaxFault[] {
  const faults: SyntaxFault[] = []
  root.walk((node) => {
    if (faults.length >= mostFaults) return false
    if (isPaired(partOf(node))) return
    const start = node.source?.start?.offset ?? 0
    const line = /^[^\r\n]*/.exec(source.slice(start, start + 400))?.[0] ?? ''
    faults.push(faultAt(source, start, start + line.length, `Give every bracket its pair in ${quoted(line.trim())}.`))
  })
  return faults
}

function partOf(node: ChildNode): string {
  if (node.type === 'decl') return node.value
  if (node.type === 'rule') return node.selector
  return node.type === 'atrule' ? node.params : ''
}

const pairs: Readonly<Record<string, string>> = { '(': ')', '[': ']' }

/** Whether every bracket has its pair, outside of strings, comments and addresses. */
function isPaired(text: string): boolean {
  const open: string[] = []
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at)
    const closer = pairs[char]
    if (char === '\\') at++
    else if (char === '"' || char === "'") at = endOf(text, char, at + 1)
    else if (text.startsWith('/*', at)) at = endOfComment(text, at)
    else if (char === '(' && /url$/i.test(text.slice(Math.max(0, at - 3), at)) && !/^\s*["']/.test(text.slice(at + 1, at + 80)))
      at = endOf(text, ')', at + 1)
    else if (closer !== undefined) open.push(closer)
    else if ((char === ')' || char === ']') && open.pop() !== char) return false
  }
  return open.length === 0
}

function endOfComment(text: string, start: number): number {
  const end = text.indexOf('*/', start + 2)
  return end < 0 ? text.length : end + 1
}

/** Where a character is that is not escaped. */
function endOf(text: string, char: string, from: number): number {
  let at = from
  while (at < text.length && text[at] !== char) at += text[at] === '\\' ? 2 : 1
  return at
}
